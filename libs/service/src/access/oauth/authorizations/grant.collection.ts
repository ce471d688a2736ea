import { type Grant, SCOPES } from '@items/dtos/contract';
import { Choices, ReadOnly, RowId, Text } from '@items/fields';
import { defineCollection } from '../../../data/definition/define-collection.js';

/** Requests cannot set these fields. SPEC §5 */
export class GrantDto {
  @ReadOnly()
  @RowId({ description: 'The user who approved it.' })
  readonly user_id?: undefined;

  @ReadOnly()
  @RowId({ description: 'The client that acts for the user.' })
  readonly client_id?: undefined;

  @ReadOnly()
  @Text({ max: 200, description: 'The name of the client when the user approved it.', example: 'Web shop' })
  readonly client_name?: undefined;

  @ReadOnly()
  @Choices(SCOPES, { description: 'What the client may do for the user, at most.', example: ['items:read'] })
  readonly scopes?: undefined;
}

/** One approval for each user and client. SPEC §5 */
export const grantCollection = defineCollection<GrantDto, Grant>({
  name: 'grants',
  singular: 'grant',
  dto: GrantDto,
  onlyFromPrimary: true,
  parent: 'user_id',
  audit: { subject: 'grant', kinds: ['created', 'deleted'] },
  sortableTimes: ['created_at'],
});

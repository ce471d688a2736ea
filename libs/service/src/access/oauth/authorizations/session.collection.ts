import { SCOPES, type Session } from '@items/dtos/contract';
import { DateTime, Optional, ReadOnly, RowId, Sortable, Text } from '@items/fields';
import { defineCollection } from '../../../data/definition/define-collection.js';

/** Requests cannot set these fields. SPEC §5 */
export class SessionDto {
  @ReadOnly()
  @RowId({ description: 'The user who logged in.' })
  readonly user_id?: undefined;

  @ReadOnly()
  @Text({
    max: SCOPES.join(' ').length,
    description: 'The granted scopes, separated by blanks.',
    example: 'items:read items:write',
  })
  readonly scope?: undefined;

  @ReadOnly()
  @Sortable()
  @Optional()
  @DateTime({ description: 'Null before the first use; may lag by some seconds.' })
  readonly last_used_at?: undefined;

  @ReadOnly()
  @DateTime({ description: 'When the refresh token ends, unless it is used before.' })
  readonly expires_at?: undefined;
}

/** A session has the id of its authorization. SPEC §5, §4.1 */
export const sessionCollection = defineCollection<SessionDto, Session>({
  name: 'sessions',
  singular: 'session',
  dto: SessionDto,
  onlyFromPrimary: true,
  parent: 'user_id',
  audit: { subject: 'session', kinds: ['created', 'deleted'] },
  sortableTimes: ['created_at'],
});

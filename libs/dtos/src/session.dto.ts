import { SCOPES, type SessionInput } from './contract/index.js';
import { DateTime, Optional, ReadOnly, RowId, Sortable, Text } from '@items/fields';

/** The body of `POST /sessions`. What no user can have is not refused here, but as any wrong password is. SPEC §5 */
export class CreateSessionDto implements SessionInput {
  @Text({ min: 1, max: 256, example: 'mary' })
  username!: string;

  @Text({ min: 1, max: 1024, example: 'correct horse battery staple' })
  password!: string;

  @Optional()
  @Text({
    max: 1000,
    description: 'Scopes separated by blanks; what the user does not have is left out. Null: all that the user has.',
    example: 'items:read items:write',
  })
  scope!: string | null;
}

/** A session, as it is shown; nothing of it is set by a body. SPEC §5 */
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

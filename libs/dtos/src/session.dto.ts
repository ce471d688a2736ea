import { Optional, Text } from '@items/fields';
import type { SessionInput } from './contract/index.js';

/** Accepts names and passwords that no user can have; they fail like any wrong password. SPEC §5 */
export class CreateSessionDto implements SessionInput {
  @Text({ min: 1, max: 256, example: 'mary' })
  username!: string;

  @Text({ min: 1, max: 1024, mayBeInvisible: true, example: 'correct horse battery staple' })
  password!: string;

  @Optional()
  @Text({
    max: 1000,
    description:
      'Scopes separated by spaces. Scopes that the user does not have are omitted. Null: all scopes of the user.',
    example: 'items:read items:write',
  })
  scope!: string | null;
}

import { ROLES, type PasswordChange, type Role } from '@items/contracts';

import { Choice } from './fields/choice.js';
import { Flag } from './fields/flag.js';
import { KeptIfAbsent, Optional, ReadOnly } from './fields/presence.js';
import { Text, type TextOptions } from './fields/text.js';

const PASSWORD: TextOptions = {
  min: 12,
  max: 256,
  description: 'Never shown. Of any characters; only its length is judged.',
  example: 'correct horse battery',
  writeOnly: true,
};
const ROLE_NOTES = { description: 'What the user may do at most: a named set of scopes.', example: 'member' };

/** What creation and replacement of a user have in common. */
abstract class UserProfileDto {
  @Text({
    min: 3,
    max: 64,
    pattern: { matches: /^[a-z0-9._-]*$/, expected: 'hold nothing but a-z, 0-9, ".", "_" and "-"' },
    description: 'Unique.',
    example: 'ada.lovelace',
  })
  username!: string;

  @Optional()
  @Text({
    min: 1,
    max: 200,
    trim: true,
    description: 'Stored without white space at its ends.',
    example: 'Ada Lovelace',
  })
  name!: string | null;

  @Optional()
  @Text({
    max: 254,
    pattern: { matches: /^[^\s@]+@[^\s@]+$/u, expected: 'be an address such as ada@example.com' },
    example: 'ada@example.com',
  })
  email!: string | null;

  @KeptIfAbsent()
  @Choice(ROLES, ROLE_NOTES)
  role: Role | undefined;

  @KeptIfAbsent()
  @Flag({ description: 'Whether all credentials of the user are refused.', example: false })
  disabled: boolean | undefined;
}

/** The body of `POST /users`: without `role` a viewer. SPEC §2, decisions §2 */
@ReadOnly('id', 'created_at', 'updated_at')
export class CreateUserDto extends UserProfileDto {
  @Text(PASSWORD)
  password!: string;
}

/** The body of `PUT /users/{id}`: `role`, `disabled` and `password` left out stay as they are. decisions §2 */
@ReadOnly('id', 'created_at', 'updated_at')
export class ReplaceUserDto extends UserProfileDto {
  @KeptIfAbsent()
  @Text(PASSWORD)
  password: string | undefined;
}

/** The body of `PUT /users/me/password`. authentication.md "Scopes and roles" */
export class PasswordChangeDto implements PasswordChange {
  @Text({
    min: 1,
    max: 256,
    description: 'Proves that it is the user who asks.',
    example: PASSWORD.example,
    writeOnly: true,
  })
  current_password!: string;

  @Text({ ...PASSWORD, example: 'another horse, another battery' })
  password!: string;
}

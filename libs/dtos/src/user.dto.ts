import { ROLES, type Identity, type PasswordChange, type Role } from './contract/index.js';
import {
  Choice,
  Filterable,
  Flag,
  KeptIfAbsent,
  Nested,
  Optional,
  ReadOnly,
  replacementOf,
  Sortable,
  Text,
  type TextOptions,
} from '@items/fields';

const PASSWORD: TextOptions = {
  min: 12,
  max: 256,
  description: 'Never shown. Any characters; only the length is checked.',
  example: 'correct horse battery',
  writeOnly: true,
};

const USERNAME: TextOptions = {
  min: 3,
  max: 64,
  pattern: { matches: /^[a-z0-9._-]*$/, expected: 'hold only a-z, 0-9, ".", "_" and "-"' },
  description: 'Unique.',
  example: 'ada.lovelace',
};

export class IdentityDto implements Identity {
  @Text({ min: 1, max: 512, description: 'The `iss` of the provider.', example: 'https://login.example.com' })
  issuer!: string;

  @Text({ min: 1, max: 255, description: 'The id of the person at the provider.', example: '248289761001' })
  subject!: string;
}

@ReadOnly('id', 'created_at', 'updated_at', 'scopes')
export class CreateUserDto {
  @Sortable()
  @Text(USERNAME)
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

  @Filterable()
  @KeptIfAbsent()
  @Choice(ROLES, { description: 'A named set of scopes, which the user never exceeds.', example: 'member' })
  role: Role | undefined;

  @Filterable()
  @KeptIfAbsent()
  @Flag({ description: 'Whether all credentials of the user are refused.', example: false })
  disabled: boolean | undefined;

  @ReadOnly()
  @Optional()
  @Nested(() => IdentityDto)
  readonly identity?: undefined;

  @Text(PASSWORD)
  password!: string;
}

export class ReplaceUserDto extends replacementOf(CreateUserDto, 'password') {}

export class PasswordChangeDto implements PasswordChange {
  @Text({
    min: 1,
    max: 256,
    description: 'The current password: it confirms that the user makes the change.',
    example: PASSWORD.example,
    mayBeInvisible: true,
    writeOnly: true,
  })
  current_password!: string;

  @Text({ ...PASSWORD, example: 'another horse, another battery' })
  password!: string;
}

/** The body of `POST /console/setup`: the first administrator. */
export class SetupDto {
  @Text({ min: 1, max: 128, description: 'From the link that the service has printed.', writeOnly: true })
  token!: string;

  @Text(USERNAME)
  username!: string;

  @Text(PASSWORD)
  password!: string;
}

import { SCOPES, type ApiKeyInput, type RotationInput, type Scope } from './contract/index.js';
import type { RateLimit } from '@items/conventions';
import {
  Choices,
  DateTime,
  DefaultsTo,
  Integer,
  Nested,
  NestedList,
  Optional,
  ReadOnly,
  replacementOf,
  RowId,
  Sortable,
  Text,
  Texts,
} from '@items/fields';

/** An origin in the form that browsers send. RFC 6454 §6.2 */
const ORIGIN =
  /^(?!http:.*:80$)(?!https:.*:443$)https?:\/\/([a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:]+\])(:[1-9][0-9]{0,4})?$/;

export class RateLimitDto implements RateLimit {
  @Integer({ min: 1, max: 1_000_000, description: 'Requests in a window.', example: 600 })
  requests!: number;

  @Integer({ min: 1, max: 86_400, description: 'Length of the window, in seconds.', example: 60 })
  seconds!: number;
}

export class SecretDto {
  @DateTime()
  created_at!: string;

  @Optional()
  @DateTime({ description: 'When its grace ends; null for the current one.' })
  expires_at!: string | null;
}

export class ApiKeySecretDto extends SecretDto {
  @Optional()
  @DateTime({ description: 'Null before the first use; may lag by some seconds.' })
  last_used_at!: string | null;
}

/** The body of a creation; responses add the read-only fields. SPEC §5 */
@ReadOnly('id', 'created_at', 'updated_at', 'key')
export class CreateApiKeyDto implements ApiKeyInput {
  @Text({
    min: 1,
    max: 200,
    trim: true,
    description: 'Stored without white space at its ends.',
    example: 'Web shop',
  })
  name!: string;

  @Optional()
  @DateTime({ future: true, description: 'Null: the key does not expire.', example: '2030-01-01T00:00:00.000Z' })
  expires_at!: string | null;

  @Optional()
  @Nested(() => RateLimitDto, { description: "Null: the service's quota." })
  rate_limit!: RateLimit | null;

  @Optional()
  @Texts({
    maxItems: 20,
    max: 255,
    each: { matches: ORIGIN, expected: 'origins such as https://app.example.com, in lower case and without a path' },
    description: 'Pages that may use a key in client-side code. Such a key may only read. Null: any client.',
    example: ['https://app.example.com'],
  })
  allowed_origins!: string[] | null;

  @Choices(SCOPES, {
    description: 'Scopes of the key; never more than those of the credential that makes the request.',
    example: ['items:read'],
  })
  scopes!: Scope[];

  @ReadOnly()
  @Optional()
  @RowId({ description: 'The user to whom the key belongs; null: the operator.' })
  readonly user_id?: undefined;

  @ReadOnly()
  @Optional()
  @RowId({
    description:
      'The OAuth application that made the key: it ends with the approval of its user. Null for any other key.',
  })
  readonly client_id?: undefined;

  @ReadOnly()
  @NestedList(() => ApiKeySecretDto, {
    min: 0,
    max: 2,
    description: 'The valid secrets, newest first: two while one replaces the other.',
  })
  readonly secrets?: undefined;

  @ReadOnly()
  @Sortable()
  @Optional()
  @DateTime({ description: 'Null before the first use; may lag by some seconds.' })
  readonly last_used_at?: undefined;
}

export class ReplaceApiKeyDto extends replacementOf(
  CreateApiKeyDto,
  'expires_at',
  'rate_limit',
  'allowed_origins',
  'scopes',
) {}

export class RotationDto implements RotationInput {
  @DefaultsTo(86_400)
  @Integer({ min: 0, max: 604_800, description: 'Seconds for which the former secret still works.', example: 3600 })
  grace_seconds!: number;
}

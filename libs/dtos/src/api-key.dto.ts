import { SCOPES, type ApiKeyInput, type RateLimit, type RotationInput, type Scope } from '@items/contracts';

import { Choices } from './fields/choices.js';
import { DateTime } from './fields/date-time.js';
import { Nested } from './fields/nested.js';
import { Integer } from './fields/numbers.js';
import { DefaultsTo, KeptIfAbsent, Optional, ReadOnly } from './fields/presence.js';
import { Text } from './fields/text.js';
import { Texts } from './fields/texts.js';

const SCOPES_NOTES = {
  description: 'What the key may do; never more than the credential that makes the request.',
  example: ['items:read'],
};

const READ_ONLY = ['id', 'user_id', 'created_at', 'updated_at', 'last_used_at', 'secrets', 'key'];

/** An origin as browsers send it. RFC 6454 §6.2 */
const ORIGIN =
  /^(?!http:.*:80$)(?!https:.*:443$)https?:\/\/([a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:]+\])(:[1-9][0-9]{0,4})?$/;

/** A quota of its own for a key. SPEC §8 */
export class RateLimitDto implements RateLimit {
  @Integer({ min: 1, max: 1_000_000, description: 'Requests in a window.', example: 600 })
  requests!: number;

  @Integer({ min: 1, max: 86_400, description: 'Length of the window, in seconds.', example: 60 })
  seconds!: number;
}

/** What creation and replacement of a key have in common. */
abstract class ApiKeySettingsDto {
  @Text({ min: 1, max: 200, trim: true, description: 'Stored without white space at its ends.', example: 'Web shop' })
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
    description: 'For a key in client-side code: pages that may use it. Such a key may only read. Null: any client.',
    example: ['https://app.example.com'],
  })
  allowed_origins!: string[] | null;
}

/** The body of `POST /api-keys`. SPEC §5 */
@ReadOnly(...READ_ONLY)
export class CreateApiKeyDto extends ApiKeySettingsDto implements ApiKeyInput {
  @Choices(SCOPES, SCOPES_NOTES)
  scopes!: Scope[];
}

/** The body of `PUT /api-keys/{id}`: `scopes` left out stay as they are. SPEC §5, decisions §2 */
@ReadOnly(...READ_ONLY)
export class ReplaceApiKeyDto extends ApiKeySettingsDto {
  @KeptIfAbsent()
  @Choices(SCOPES, SCOPES_NOTES)
  scopes: Scope[] | undefined;
}

/** The body of `POST /api-keys/{id}/rotations`. SPEC §5 */
export class RotationDto implements RotationInput {
  @DefaultsTo(86_400)
  @Integer({ min: 0, max: 604_800, description: 'How long the former secret works on.', example: 3600 })
  grace_seconds!: number;
}

export const HEADER = {
  apiKey: 'x-api-key',
  apiVersion: 'api-version',
  idempotencyKey: 'idempotency-key',
  idempotentReplayed: 'idempotent-replayed',
  rateLimitLimit: 'x-ratelimit-limit',
  rateLimitRemaining: 'x-ratelimit-remaining',
  rateLimitReset: 'x-ratelimit-reset',
  requestId: 'x-request-id',
  retryAfter: 'retry-after',
} as const;

/** Maximum size of a request body. SPEC §8 */
export const MAX_BODY_BYTES = 1_048_576;
/** Maximum size of a body that contains or requests a credential. SPEC §4.5 */
export const MAX_CREDENTIAL_BODY_BYTES = 16_384;
/** Maximum length of `Idempotency-Key`. SPEC §4 */
export const MAX_IDEMPOTENCY_KEY_LENGTH = 255;

/** A quota: `requests` in a window of `seconds`. SPEC §8 */
export interface RateLimit {
  /** For an API key: 1–1 000 000, in 1–86 400 seconds. */
  readonly requests: number;
  readonly seconds: number;
}

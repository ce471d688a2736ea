/** Header names of a service of this kind, in lower case. */
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

/** Largest request body, in bytes. SPEC §8 */
export const MAX_BODY_BYTES = 1_048_576;
/** Largest body of a request that asks for a credential or gives one, in bytes. SPEC §4.5 */
export const MAX_CREDENTIAL_BODY_BYTES = 16_384;
/** Longest `Idempotency-Key`, in characters. SPEC §4 */
export const MAX_IDEMPOTENCY_KEY_LENGTH = 255;

/** A quota, as `requests` in a window of `seconds`. SPEC §8 */
export interface RateLimit {
  /** 1 – 1 000 000. */
  readonly requests: number;
  /** 1 – 86 400. */
  readonly seconds: number;
}

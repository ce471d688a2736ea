/** The version that answers carry, and that requests may ask for. SPEC §9 */
export const API_VERSION = '2026-11-20';
/** All versions that a request may ask for. SPEC §9 */
export const SUPPORTED_API_VERSIONS: readonly string[] = [API_VERSION];

/** Header names of the service, in lower case. */
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
/** Longest `Idempotency-Key`, in characters. SPEC §4 */
export const MAX_IDEMPOTENCY_KEY_LENGTH = 255;

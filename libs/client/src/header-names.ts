import type { HEADER } from '@items/conventions';

// Separate constants, so that a bundle contains only those it uses. The types check the values against `HEADER`.
export const API_VERSION_HEADER: (typeof HEADER)['apiVersion'] = 'api-version';
export const IDEMPOTENCY_KEY: (typeof HEADER)['idempotencyKey'] = 'idempotency-key';
export const RATE_LIMIT_REMAINING: (typeof HEADER)['rateLimitRemaining'] = 'x-ratelimit-remaining';
export const RATE_LIMIT_RESET: (typeof HEADER)['rateLimitReset'] = 'x-ratelimit-reset';
export const REQUEST_ID: (typeof HEADER)['requestId'] = 'x-request-id';
export const RETRY_AFTER: (typeof HEADER)['retryAfter'] = 'retry-after';

import { HEADER, type RateLimit } from '@items/conventions';

/** An answer whose headers can be set, of Fastify or of Express. */
export interface AnswerHeaders {
  header(name: string, value: string | number): unknown;
}

/**
 * The headers that tell a client where it stands: the usual ones, and those of the IETF's
 * draft-ietf-httpapi-ratelimit-headers-11, which are structured fields: a list with one policy, its name a string.
 * @param remaining requests left in the window.
 * @param resetSeconds until the window ends; whole, at least 1.
 * @see SPEC §8
 */
export function setRateHeaders(
  reply: AnswerHeaders,
  policy: string,
  limit: RateLimit,
  remaining: number,
  resetSeconds: number,
): void {
  reply.header(HEADER.rateLimitLimit, limit.requests);
  reply.header(HEADER.rateLimitRemaining, remaining);
  reply.header(HEADER.rateLimitReset, resetSeconds);
  reply.header('ratelimit-policy', policyOf(policy, limit));
  reply.header('ratelimit', `"${policy}";r=${String(remaining)};t=${String(resetSeconds)}`);
}

/** By the limit, which is of one policy. */
const policies = new WeakMap<RateLimit, string>();

function policyOf(policy: string, limit: RateLimit): string {
  let text = policies.get(limit);
  if (text === undefined) {
    text = `"${policy}";q=${String(limit.requests)};w=${String(limit.seconds)}`;
    policies.set(limit, text);
  }
  return text;
}

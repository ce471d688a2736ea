/** Health checks. They always get a response, which shows that the process runs. */
export const HEALTH_PREFIX = '/health/';

/**
 * Prefixes of paths without a quota, including paths without a route. Their routes have `@Uncounted()`;
 * `routes.spec.ts` checks that. SPEC §8.1
 */
export const UNCOUNTED_PREFIXES: readonly string[] = [HEALTH_PREFIX, '/docs/', '/console/'];

/** Whether a path belongs to the OAuth endpoints for clients. */
export function speaksOauth(path: string): boolean {
  return path.startsWith('/oauth/');
}

/** Whether errors of a path are HTML pages, because a browser shows them. SPEC §1.4 */
export function showsPages(target: string): boolean {
  return /^\/oauth\/(authorize|interaction|login|logout)(?:[/?]|$)/.test(target);
}

/** Whether a request is a long poll for events. SPEC §6.1 */
export function isLongPoll(target: string): boolean {
  return /^\/events\?(?:.*&)?wait=/.test(target);
}

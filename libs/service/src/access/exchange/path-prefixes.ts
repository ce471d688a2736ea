/** Health checks always get a response, to show that the process runs. */
export const HEALTH_PREFIX = '/health/';

/**
 * These paths have no quota, even without a route. Their routes have `@Uncounted()`; `routes.spec.ts` checks that. SPEC
 * §8.1
 */
export const UNCOUNTED_PREFIXES: readonly string[] = [HEALTH_PREFIX, '/docs/', '/console/'];

export function speaksOauth(path: string): boolean {
  return path.startsWith('/oauth/');
}

/** Errors of these paths are HTML pages, because a browser shows them. SPEC §1.4 */
export function showsPages(target: string): boolean {
  return /^\/oauth\/(authorize|interaction|login|logout)(?:[/?]|$)/.test(target);
}

export function isLongPoll(target: string): boolean {
  return /^\/events\?(?:.*&)?wait=/.test(target);
}

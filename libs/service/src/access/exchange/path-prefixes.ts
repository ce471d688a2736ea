/** Health checks always get a response, to show that the process runs. */
export const HEALTH_PREFIX = '/health/';

/**
 * Below these prefixes, even unknown paths have no quota. Their GET routes have `@Uncounted()`: see
 * `routes.spec.ts`. SPEC §8.1
 */
export const UNCOUNTED_PREFIXES: readonly string[] = [HEALTH_PREFIX, '/docs/', '/console/'];

export function speaksOauth(path: string): boolean {
  return path.startsWith('/oauth/');
}

/** True if errors are HTML pages, because a browser shows the response. SPEC §1.4 */
export function showsPages(target: string): boolean {
  return /^\/oauth\/(authorize|interaction|login|logout)(?:[/?]|$)/.test(target);
}

export function isLongPoll(target: string): boolean {
  return /^\/events\?(?:.*&)?wait=/.test(target);
}

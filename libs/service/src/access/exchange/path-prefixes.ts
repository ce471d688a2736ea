/** Health checks, which always get a response: they show that the process runs. */
export const HEALTH_PREFIX = '/health/';

/**
 * How the paths begin that have no quota, also where no route takes them. The routes there say `@Uncounted()`, to
 * which `routes.spec.ts` holds them. SPEC §8.1
 */
export const UNCOUNTED_PREFIXES: readonly string[] = [HEALTH_PREFIX, '/docs/', '/console/'];

/** Whether a path is one where clients speak OAuth. */
export function speaksOauth(path: string): boolean {
  return path.startsWith('/oauth/');
}

/** Whether a request is to wait for an event. SPEC §6.1 */
export function isLongPoll(target: string): boolean {
  return /^\/events\?(?:.*&)?wait=/.test(target);
}

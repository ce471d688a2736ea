import { AsyncLocalStorage } from 'node:async_hooks';

const keys = new AsyncLocalStorage<() => string>();

export const OWN_WORK = '';

/**
 * Runs the work of a request, so that the statements of the request take its turns.
 * @param key is called for each statement: a request is authenticated only meanwhile.
 */
export function withFairnessKey<T>(key: () => string, work: () => T): T {
  return keys.run(key, work);
}

/** Returns the fairness key of the request that is served, and an empty text for the service's own work. */
export function currentFairnessKey(): string {
  return keys.getStore()?.() ?? OWN_WORK;
}

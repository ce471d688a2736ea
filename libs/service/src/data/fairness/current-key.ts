import { AsyncLocalStorage } from 'node:async_hooks';

const keys = new AsyncLocalStorage<() => string>();

export const OWN_WORK = '';

/**
 * Runs the work of a request under its fairness key.
 * @param key Called for each statement, because authentication may end after the work began.
 */
export function withFairnessKey<T>(key: () => string, work: () => T): T {
  return keys.run(key, work);
}

/** Empty for the service's own work. */
export function currentFairnessKey(): string {
  return keys.getStore()?.() ?? OWN_WORK;
}

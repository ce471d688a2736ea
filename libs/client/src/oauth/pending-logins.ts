import type { LoginStorage } from './login-options.js';

/** Logins that were begun and never finished are forgotten beyond this. */
const MAX_PENDING = 8;

/** The verifiers of logins that were begun, by their state. */
export interface PendingLogins {
  add(state: string, verifier: string): void;
  /** Gives a verifier once. */
  take(state: string | null): string | undefined;
}

/** Kept in a storage, under this key. */
export function pendingLogins(storage: () => LoginStorage, key: string): PendingLogins {
  const read = (): [state: string, verifier: string][] =>
    JSON.parse(storage().getItem(key) ?? '[]') as [string, string][];
  return {
    add(state, verifier) {
      storage().setItem(key, JSON.stringify([...read(), [state, verifier]].slice(-MAX_PENDING)));
    },
    take(state) {
      const all = read();
      const rest = all.filter(([known]) => known !== state);
      if (rest.length > 0) storage().setItem(key, JSON.stringify(rest));
      else storage().removeItem(key);
      return all.find(([known]) => known === state)?.[1];
    },
  };
}

import type { LoginStorage } from './login-options.js';

/** Maximum number of unfinished logins. The oldest are dropped. */
const MAX_PENDING = 8;

/** PKCE verifiers of unfinished logins, by their `state`. */
export interface PendingLogins {
  add(state: string, verifier: string): void;
  take(state: string | null): string | undefined;
}

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

import { headerSafe } from '../http/credential.js';
import type { TokenSource } from './renewed-token.js';

/** A bearer token that the application is asked for. @param ask rejects where there is none to be had. */
export function askedToken(ask: () => string | Promise<string>): TokenSource {
  return {
    next: async () => ({ access_token: headerSafe('auth.token()', await ask()) }),
    // Another token may be another user's.
    owner: ({ value }) => value,
    secrets: () => [],
  };
}

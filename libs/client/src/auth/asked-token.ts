import { headerSafe } from '../http/credential.js';
import type { TokenSource } from './renewed-token.js';

/** @param ask Gets the refused token, or ''; rejects if there is no token. */
export function askedToken(ask: (refused: string) => string | Promise<string>): TokenSource {
  return {
    next: async (refused) => ({ access_token: headerSafe('auth.token()', await ask(refused)) }),
    // A different token may belong to another user.
    owner: ({ value }) => value,
    secrets: () => [],
  };
}

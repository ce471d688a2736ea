import { headerSafe } from '../http/credential.js';
import type { TokenSource } from './renewed-token.js';

/** A bearer token that the application provides. @param ask gets the refused token, or ''; rejects if there is no token. */
export function askedToken(ask: (refused: string) => string | Promise<string>): TokenSource {
  return {
    next: async (refused) => ({ access_token: headerSafe('auth.token()', await ask(refused)) }),
    // Another token may be another user's.
    owner: ({ value }) => value,
    secrets: () => [],
  };
}

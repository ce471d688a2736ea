import type { Send } from '../http/outgoing-request.js';
import type { Settings } from '../settings.js';
import type { Auth } from './auth.js';
import { clientTokens, sessionTokens } from './token-sources.js';
import { basic, type Credential, type CredentialHeader, headerSafe } from '../http/credential.js';
import { renewedToken, type TokenSource } from './renewed-token.js';

/**
 * @param send Sends a request once, without a credential.
 * @throws {TypeError} A part is missing, or no header can carry it. The message contains no secret. SPEC §5
 */
export function credentialOf(auth: Auth, send: Send, settings: Settings): Credential {
  if ('apiKey' in auth) {
    const value = headerSafe('auth.apiKey', auth.apiKey);
    return fixedCredential({ name: 'x-api-key', value }, []);
  }
  if ('token' in auth) {
    const { token, renew } = auth;
    if (typeof token === 'function') return renewedToken(askedToken(renew ?? (() => token())));
    return fixedCredential({ name: 'authorization', value: `Bearer ${headerSafe('auth.token', token)}` }, []);
  }
  if ('session' in auth) return renewedToken(sessionTokens(auth.session, send, settings));
  if ('clientId' in auth) return renewedToken(clientTokens(auth, send, settings));
  const { username, password } = auth;
  if (typeof username !== 'string' || typeof password !== 'string' || username.includes(':')) {
    throw new TypeError('auth must be one credential; a username has no colon.');
  }
  return fixedCredential({ name: 'authorization', value: basic(username, password) }, [password]);
}

/** @param ask Gets the refused token, or ''; rejects if there is no token. */
function askedToken(ask: (refused: string) => string | Promise<string>): TokenSource {
  return {
    next: async (refused) => ({ access_token: headerSafe('auth.token()', await ask(refused)) }),
    // A different token may belong to another user.
    owner: ({ value }) => value,
    secrets: () => [],
  };
}

function fixedCredential(header: CredentialHeader, secrets: readonly string[]): Credential {
  return {
    isRenewable: false,
    begin: () => () => Promise.resolve(header),
    owner: () => '',
    secrets: () => [...secrets, header.value.replace(/^\w+ /, '')],
  };
}

import type { Send } from '../http/outgoing-request.js';
import type { Settings } from '../settings.js';
import type { Auth } from './auth.js';
import { clientTokens, sessionTokens } from './token-sources.js';
import { basic, type Credential, type CredentialHeader, headerSafe } from '../http/credential.js';
import { renewedToken, type TokenSource } from './renewed-token.js';

/**
 * @throws {TypeError} A part of the credential is missing or not allowed in a header. The message contains no secret.
 * @see SPEC §5
 */
export function credentialOf(auth: Auth, send: Send, settings: Settings): Credential {
  if ('apiKey' in auth) {
    const value = headerSafe('auth.apiKey', auth.apiKey);
    return fixedCredential({ name: 'x-api-key', value }, []);
  }
  if ('token' in auth) {
    const { token, renew } = auth;
    if (typeof token === 'function') return renewedToken(applicationTokens(renew ?? (() => token())));
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

/** @param getToken Called with the refused token, or ''. The waiting requests get its errors. */
function applicationTokens(getToken: (refused: string) => string | Promise<string>): TokenSource {
  return {
    next: async (refused) => ({ access_token: headerSafe('auth.token()', await getToken(refused)) }),
    // Each token counts as a user, because tokens may belong to different users.
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

import type { Send } from '../http/outgoing-request.js';
import type { Settings } from '../settings.js';
import { askedToken } from './asked-token.js';
import type { Auth } from './auth.js';
import { clientTokens } from './client-tokens.js';
import { basic, headerSafe, type Credential } from '../http/credential.js';
import { fixedCredential } from './fixed-credential.js';
import { renewedToken } from './renewed-token.js';
import { sessionTokens } from './session-tokens.js';

/**
 * @param send Sends a request once, without a credential.
 * @throws {TypeError} A part is missing, or no header can carry it. The message contains no secret. SPEC §5
 */
export function credentialOf(auth: Auth, send: Send, { retry, signal }: Settings): Credential {
  if ('apiKey' in auth) {
    const value = headerSafe('auth.apiKey', auth.apiKey);
    return fixedCredential({ name: 'x-api-key', value }, []);
  }
  if ('token' in auth) {
    const { token, renew } = auth;
    if (typeof token === 'function') return renewedToken(askedToken(renew ?? (() => token())));
    return fixedCredential({ name: 'authorization', value: `Bearer ${headerSafe('auth.token', token)}` }, []);
  }
  if ('session' in auth) return renewedToken(sessionTokens(auth.session, send, retry, signal));
  if ('clientId' in auth) return renewedToken(clientTokens(auth, send, retry, signal));
  const { username, password } = auth;
  if (typeof username !== 'string' || typeof password !== 'string' || username.includes(':')) {
    throw new TypeError('auth must be one credential; a username has no colon.');
  }
  return fixedCredential({ name: 'authorization', value: basic(username, password) }, [password]);
}

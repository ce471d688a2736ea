import { wasRefused } from '../errors/api-error-status.js';
import type { Send } from '../http/outgoing-request.js';
import { retrying, type Retry } from '../http/retry.js';
import type { Tokens } from './auth.js';
import { basic } from '../http/credential.js';
import { requestTokens } from './request-tokens.js';
import type { TokenSource } from './renewed-token.js';

export interface ClientLogin {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Separated by spaces. Default: all scopes of the client. */
  readonly scope?: string | undefined;
}

/** A request whose response was lost is not repeated. RFC 6749 §4.4, §2.3.1 */
export function clientTokens(
  login: ClientLogin,
  send: Send,
  retry: Retry,
  signal: AbortSignal | undefined,
): TokenSource {
  const { clientId, clientSecret, scope } = login;
  const value = basic(encodeURIComponent(clientId), encodeURIComponent(clientSecret));
  const fields = { grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) };
  const ask = (): Promise<Tokens> =>
    requestTokens(send, fields, { credential: { name: 'authorization', value }, signal });
  return {
    next: () => retrying(retry, signal, ask, wasRefused),
    secrets: () => [clientSecret, value.slice('Basic '.length)],
  };
}

import type { SessionInput } from '@items/dtos/contract';
import { AuthenticationError, isStatus, wasRefused } from '../errors/items-api-error.js';
import type { CallOptions } from '../client-options.js';
import { IDEMPOTENCY_KEY } from '../header-names.js';
import type { Answer, OutgoingRequest, Send } from '../http/outgoing-request.js';
import { retrying } from '../http/retry.js';
import type { Settings } from '../settings.js';
import type { ClientLogin, PasswordSession, Tokens, TokenSession } from './auth.js';
import { basic } from '../http/credential.js';
import type { TokenSource } from './renewed-token.js';
import { randomKey } from '../http/random-key.js';

/** Requests tokens once, without retries. RFC 6749 §5.1, appendix B */
async function requestTokens(
  send: Send,
  fields: Readonly<Record<string, string>>,
  rest: Pick<OutgoingRequest, 'credential' | 'signal'>,
): Promise<Tokens> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = String(new URLSearchParams(fields));
  const response = await send({ method: 'POST', path: 'oauth/token', headers, body, ...rest });
  return response.body as unknown as Tokens;
}

/**
 * Sends the login once, without retries.
 * @param idempotencyKey Prevents a second session if the caller repeats the login. SPEC §5 Bearer token
 */
export async function login(
  input: SessionInput,
  idempotencyKey: string,
  options: CallOptions,
  send: Send,
): Promise<Answer> {
  const headers = { 'content-type': 'application/json', [IDEMPOTENCY_KEY]: idempotencyKey };
  return send({ method: 'POST', path: 'sessions', headers, body: JSON.stringify(input), ...options });
}

/** Does not repeat a request whose response was lost. RFC 6749 §4.4, §2.3.1 */
export function clientTokens(
  { clientId, clientSecret, scope }: ClientLogin,
  send: Send,
  { retry, signal }: Settings,
): TokenSource {
  const value = basic(encodeURIComponent(clientId), encodeURIComponent(clientSecret));
  const fields = { grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) };
  const request = (): Promise<Tokens> =>
    requestTokens(send, fields, { credential: { name: 'authorization', value }, signal });
  return {
    next: () => retrying(retry, signal, request, wasRefused),
    secrets: () => [clientSecret, value.slice('Basic '.length)],
  };
}

/** The OAuth client that the service reserves for logins with a password. SPEC §5.4 */
const FIRST_PARTY = 'first-party';

/**
 * If the response to a refresh is lost, the refresh token may be used up, and a second use would end the whole session.
 * So the source logs in again if it has the password, and fails otherwise. It does not repeat a login whose response was
 * lost.
 * @see SPEC §5.4
 */
export function sessionTokens(
  session: PasswordSession | TokenSession,
  send: Send,
  { retry, signal }: Settings,
): TokenSource {
  const known: Partial<PasswordSession & TokenSession> = session;
  const { tokens: first, clientId = FIRST_PARTY, username = '', password, scope = null } = known;
  let refreshToken = first?.refresh_token;

  const start = async (key: string): Promise<Tokens> => {
    if (password === undefined) throw ended(undefined);
    return (await login({ username, password, scope }, key, { signal }, send)).body as unknown as Tokens;
  };
  const renew = async (key: string): Promise<Tokens> => {
    if (refreshToken === undefined) return start(key);
    try {
      const fields = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId };
      return await requestTokens(send, fields, { signal });
    } catch (error) {
      // After a 429 the refresh token is unused. After a 503 of a proxy it may be used up, so a new login is safer.
      const isKept = isStatus(error, 429) || (isStatus(error, 503) && password === undefined);
      if (!isKept) refreshToken = undefined;
      if (wasRefused(error) || signal?.aborted === true) throw error;
      if (password !== undefined) return start(key);
      // The refresh token has expired or was used before. RFC 6749 §5.2
      throw isStatus(error, 400) || isStatus(error, 401) ? ended(error) : error;
    }
  };

  return {
    first,
    next: async () => {
      const key = randomKey();
      const tokens = await retrying(retry, signal, () => renew(key), wasRefused);
      refreshToken = tokens.refresh_token ?? refreshToken;
      await session.onTokens?.(tokens);
      return tokens;
    },
    secrets: () => [password, refreshToken].filter((secret) => secret !== undefined),
  };
}

function ended(cause: unknown): AuthenticationError {
  const message = 'The session has ended: log in again.';
  return new AuthenticationError({ status: 401, code: 'unauthorized', message, cause });
}

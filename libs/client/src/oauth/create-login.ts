import { AuthenticationError } from '../errors/items-api-error.js';
import { baseUrlOf } from '../settings.js';
import { postForm } from './endpoint.js';
import { type Login, type LoginAuth, LoginError, type LoginOptions, type LoginStorage } from './login-options.js';
import { once } from './once.js';
import { oneAtATime } from './one-at-a-time.js';
import { pendingLogins } from './pending-logins.js';
import { UsedUp } from './used-up.js';

interface StoredTokens {
  readonly access: string;
  readonly refresh: string | undefined;
  readonly endsAtMs: number;
}

/**
 * Longest wait for the response to a refresh. The retry must arrive within 10 s of the first use of the refresh token.
 */
const REPAIRABLE_MS = 8_000;
/** Refresh a token this early, so that it is still valid on arrival. */
const MARGIN_MS = 10_000;

/**
 * Logs users in without ever seeing their password: authorization code with PKCE (S256), `state` and `iss`, no client
 * secret. The page must be served over HTTPS or from localhost.
 * @throws {TypeError} `baseUrl` is not a URL, or would send tokens over plain HTTP.
 */
export function createLogin(options: LoginOptions): Login {
  const { clientId, redirectUri, scopes } = options;
  const baseUrl = baseUrlOf(options.baseUrl, true);
  const storage = (): LoginStorage => options.storage ?? sessionStorage;
  const key = `items-login:${clientId}:${baseUrl}`;
  const usedUp = new UsedUp(key);
  const pending = pendingLogins(storage, `${key}:pending`);

  const read = (): StoredTokens | undefined => {
    const text = storage().getItem(key);
    return text === null ? undefined : (JSON.parse(text) as StoredTokens);
  };
  const request = async (
    fields: Readonly<Record<string, string>>,
    former?: string,
    timeoutMs?: number,
  ): Promise<StoredTokens> => {
    const tokens = await postForm(`${baseUrl}oauth/token`, { ...fields, client_id: clientId }, timeoutMs);
    const { access_token: access, refresh_token: refresh = former, expires_in: seconds } = tokens;
    if (typeof access !== 'string') throw new LoginError('no_answer', 'The response holds no access token.');
    const stored = { access, refresh, endsAtMs: Date.now() + Number(seconds ?? 900) * 1000 } as StoredTokens;
    storage().setItem(key, JSON.stringify(stored));
    return stored;
  };
  const refreshed = async ({ refresh }: StoredTokens): Promise<StoredTokens> => {
    if (refresh === undefined) throw ended(undefined);
    const fields = { grant_type: 'refresh_token', refresh_token: refresh };
    try {
      // A retry within 10 s of the first use returns the lost tokens. A later retry would end the session.
      const tokens = await request(fields, refresh, REPAIRABLE_MS).catch((error: unknown) => {
        if (error instanceof LoginError && error.code === 'no_answer') return request(fields, refresh);
        throw error;
      });
      if (tokens.refresh !== refresh) await usedUp.mark(refresh);
      return tokens;
    } catch (error) {
      if (!(error instanceof LoginError && error.code.startsWith('invalid_'))) throw error;
      storage().removeItem(key);
      throw ended(error);
    }
  };
  const authOf = (): LoginAuth => {
    let given = '';
    const token = async (refused: string): Promise<string> => {
      // Checks the storage first, because another tab or client may have refreshed the tokens.
      const isGood = (tokens: StoredTokens | undefined): tokens is StoredTokens =>
        tokens !== undefined && tokens.access !== refused && Date.now() < tokens.endsAtMs - MARGIN_MS;
      let tokens = read();
      if (!isGood(tokens)) tokens = await usedUp.fresh(read);
      if (tokens === undefined) throw ended(undefined);
      return (given = (isGood(tokens) ? tokens : await refreshed(tokens)).access);
    };
    return {
      // `token` is called again only after the service has refused the last token.
      token: () => oneAtATime(key, () => token(given)),
      renew: (refused) => oneAtATime(key, () => token(refused)),
    };
  };
  const finish = async ({ searchParams: answer }: URL): Promise<LoginAuth> => {
    const verifier = pending.take(answer.get('state'));
    if (verifier === undefined) throw new LoginError('wrong_state', 'This login was not started in this browser.');
    const issuer = String(answer.get('iss'));
    // RFC 9207 §2.4
    if (issuer.replace(/\/$/, '') !== baseUrl.slice(0, -1)) {
      throw new LoginError('wrong_issuer', `The response is from ${issuer}, and baseUrl is ${baseUrl}.`);
    }
    const error = answer.get('error');
    if (error !== null) throw new LoginError(error, answer.get('error_description') ?? `The login failed: ${error}.`);
    const fields = { grant_type: 'authorization_code', redirect_uri: redirectUri, code_verifier: verifier };
    const code = answer.get('code') ?? '';
    await oneAtATime(key, () => request({ ...fields, code }));
    return authOf();
  };

  return {
    start: async () => {
      const [state, verifier] = [randomText(), randomText()];
      const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
      pending.add(state, verifier);
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        ...(scopes.length > 0 && { scope: scopes.join(' ') }),
        state,
        code_challenge: base64Url(new Uint8Array(digest)),
        code_challenge_method: 'S256',
      });
      return `${baseUrl}oauth/authorize?${String(query)}`;
    },
    finish: async (currentUrl) => once(storage(), `${key} ${String(currentUrl)}`, () => finish(new URL(currentUrl))),
    resume: async () => Promise.resolve(read() && authOf()),
    logout: async () =>
      oneAtATime(key, async () => {
        const tokens = read();
        storage().removeItem(key);
        const token = tokens?.refresh ?? tokens?.access;
        if (token !== undefined) await postForm(`${baseUrl}oauth/revoke`, { token, client_id: clientId });
      }),
  };
}

function ended(cause: unknown): AuthenticationError {
  return new AuthenticationError({ status: 401, code: 'unauthorized', message: 'The login has ended.', cause });
}

/** 256 random bits, in characters that a code verifier allows. RFC 7636 §4.1 */
function randomText(): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(32)));
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (sign) => ({ '+': '-', '/': '_' })[sign] ?? '');
}

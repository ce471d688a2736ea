import { createHash, randomBytes } from 'node:crypto';

import type { CreatedClient } from '@items/dtos/contract';
import { Browser, type Shown } from '@items/testing';

import type { Config } from '../../../runtime/config/config.js';
import { formOf, startOauth, type OauthUnderTest } from './oauth.testing.js';

export const CALLBACK = 'https://shop.example/callback';

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly scope: string;
}

/** Query parameters that differ from the default; undefined removes one. */
type Changes = Readonly<Record<string, string | undefined>>;

/** A service with a user, `mary`, and a client that she may approve. */
export class CodeFlow {
  private readonly verifier = randomBytes(32).toString('base64url');

  constructor(
    readonly oauth: OauthUnderTest,
    readonly client: Required<CreatedClient>,
  ) {}

  register(input: object): Promise<Required<CreatedClient>> {
    return register(this.oauth, input);
  }

  /** Returns this flow with another client. */
  for(client: Required<CreatedClient>): CodeFlow {
    return new CodeFlow(this.oauth, client);
  }

  authorizeUrl(changes: Changes = {}): string {
    const all: Changes = {
      response_type: 'code',
      client_id: this.client.client_id,
      redirect_uri: CALLBACK,
      scope: 'items:read items:write',
      state: 'xyz',
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...changes,
    };
    const given = Object.entries(all).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as [string, string]],
    );
    return `/oauth/authorize?${new URLSearchParams(given).toString()}`;
  }

  async logIn(browser: Browser, changes: Changes = {}, username = 'mary'): Promise<Shown> {
    const login = await browser.get(this.authorizeUrl(changes));
    return browser.submit(login, { username, password: this.oauth.password });
  }

  /** Returns a new code that mary has approved. */
  async newCode(changes: Changes = {}): Promise<string> {
    const browser = new Browser(this.oauth.baseUrl);
    return codeOf(await browser.submit(await this.logIn(browser, changes), { decision: 'allow' }));
  }

  basic(id = this.client.client_id, secret = this.client.client_secret): Record<string, string> {
    return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
  }

  exchange(code: string, changes: Readonly<Record<string, string>> = {}): Promise<Response> {
    const grant = { grant_type: 'authorization_code', redirect_uri: CALLBACK, code_verifier: this.verifier };
    return formOf(this.oauth.baseUrl, '/oauth/token', { ...grant, code, ...changes }, this.basic());
  }

  /** Redeems a code with the client credentials in the form. */
  exchangeAs(code: string, changes: Readonly<Record<string, string>>): Promise<Response> {
    const grant = { grant_type: 'authorization_code', redirect_uri: CALLBACK, code_verifier: this.verifier };
    return formOf(this.oauth.baseUrl, '/oauth/token', { ...grant, code, ...changes });
  }

  async statusWith(token: string): Promise<number> {
    return (await this.oauth.bearer(token).get('/items')).status;
  }
}

export async function startCodeFlow(database: Config['database'], env: NodeJS.ProcessEnv = {}): Promise<CodeFlow> {
  const oauth = await startOauth(database, env);
  await oauth.addUser({ username: 'mary', role: 'member' });
  return new CodeFlow(oauth, await register(oauth, { scopes: ['items:read', 'items:write', 'clients:manage'] }));
}

/** Returns the code in the redirect. */
export function codeOf(shown: Shown): string {
  return shown.left?.searchParams.get('code') ?? `none: ${shown.text}`;
}

/** Returns status and error code. */
export async function errorOf(answer: Response): Promise<[number, unknown]> {
  return [answer.status, ((await answer.json()) as { error: unknown }).error];
}

async function register({ admin }: OauthUnderTest, input: object): Promise<Required<CreatedClient>> {
  const answer = await admin.post('/clients', { name: 'Web shop', redirect_uris: [CALLBACK], ...input });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.json() as Required<CreatedClient>;
}

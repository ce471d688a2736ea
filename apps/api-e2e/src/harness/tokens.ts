import type { CreatedSession, Scope } from '@items/dtos/contract';
import { Browser, type HttpClient } from '@items/testing';
import * as openid from 'openid-client';

import { anonymous } from './clients.js';
import type { OauthClient } from './oauth-client.js';
import { expectStatus } from './reading.js';
import { startsServices } from './service.js';
import { PASSWORD } from './users.js';

export function withToken(token: string, client = anonymous): HttpClient {
  return client.withHeaders(['Authorization', `Bearer ${token}`]);
}

/** Logs a user in. @param scopes default: all of the user. */
export async function logIn(username: string, scopes?: readonly Scope[], client = anonymous): Promise<CreatedSession> {
  const answer = await client.post('/sessions', { username, password: PASSWORD, scope: scopes?.join(' ') ?? null });
  expectStatus(answer, 201);
  return answer.json() as CreatedSession;
}

/** Returns the address that the authorization server has in its metadata. */
export async function issuerOf(client = anonymous): Promise<string> {
  const answer = await client.get('/.well-known/oauth-authorization-server');
  expectStatus(answer, 200);
  return (answer.json() as { readonly issuer: string }).issuer;
}

/** Returns the tokens of a client after a user has logged in and approved it. SPEC §5 OAuth 2.0 */
export async function approve(
  client: OauthClient,
  username: string,
  scopes: readonly Scope[],
): Promise<openid.TokenEndpointResponse> {
  const { url, finish } = await client.begin(scopes.join(' '));
  const browser = new Browser(url.origin, !startsServices);
  const consent = await browser.submit(await browser.get(url), { username, password: PASSWORD });
  const { left, text } = await browser.submit(consent, { decision: 'allow' });
  if (left === undefined) throw new Error(`No consent page was shown, or its answer was refused: ${text}`);
  return finish(left);
}

/** Returns the access token of a client that acts for itself. RFC 6749 §4.4 */
export async function clientToken({ config }: OauthClient, scopes: readonly Scope[]): Promise<string> {
  return (await openid.clientCredentialsGrant(config, { scope: scopes.join(' ') })).access_token;
}

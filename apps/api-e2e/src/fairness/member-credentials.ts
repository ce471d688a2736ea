import type { HttpClient } from '@items/testing';

import { createKey } from '../harness/clients.js';
import { oauthClient } from '../harness/oauth-client.js';
import { approve, issuerOf, logIn, withToken } from '../harness/tokens.js';
import { basic, withBasic } from '../harness/users.js';

/** The member already has one more key. */
const KEYS = 99;
const SESSIONS = 20;
const APPLICATIONS = 2;
const KEYS_OF_APPLICATION = 10;
export const SCOPES = ['items:read', 'items:write', 'orders:read', 'orders:write'] as const;

export type CredentialHeaders = Readonly<Record<string, string>>;

export async function keyOf(creator: HttpClient): Promise<CredentialHeaders> {
  return { 'x-api-key': (await createKey({ scopes: SCOPES }, creator)).key };
}

/** Creates all credentials that one member may have: 100 keys, sessions, and two applications with ten keys each. */
export async function memberCredentials(
  anonymous: HttpClient,
  admin: HttpClient,
  username: string,
): Promise<CredentialHeaders[]> {
  const member = withBasic(username, undefined, anonymous);
  const credentials: CredentialHeaders[] = [Object.fromEntries([basic(username)])];
  for (let n = 0; n < KEYS; n += 1) credentials.push(await keyOf(member));
  for (let n = 0; n < SESSIONS; n += 1) {
    const { access_token: token } = await logIn(username, undefined, anonymous);
    credentials.push({ authorization: `Bearer ${token}` });
  }
  for (let n = 0; n < APPLICATIONS; n += 1) {
    const scopes = [...SCOPES, 'keys:manage'] as const;
    const application = await oauthClient(await issuerOf(anonymous), admin, { scopes });
    const { access_token: token } = await approve(application, username, scopes);
    await application.close();
    credentials.push({ authorization: `Bearer ${token}` });
    const bearer = withToken(token, anonymous);
    for (let each = 0; each < KEYS_OF_APPLICATION; each += 1) credentials.push(await keyOf(bearer));
  }
  return credentials;
}

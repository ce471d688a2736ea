import { createHash, randomBytes } from 'node:crypto';

import { Browser } from '@items/testing';

/** Plus the one key that the member already has. */
const KEYS = 99;
const SESSIONS = 20;
const APPLICATIONS = 2;
const KEYS_OF_APPLICATION = 10;
const CALLBACK = 'https://shop.example/callback';
const SCOPES = ['items:read', 'items:write', 'orders:read', 'orders:write'];

/**
 * Creates all credentials that one member may have: 100 keys, sessions, and two applications with ten keys each.
 * @param {{ address: string, admin: Record<string, string>, username: string, password: string }} member
 * @returns {Promise<Record<string, string>[]>} the headers of each credential.
 */
export async function memberCredentials({ address, admin, username, password }) {
  const basic = { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
  /** @param {string} path @param {object} body @param {Record<string, string>} by */
  const post = async (path, body, by) => {
    const headers = { ...by, 'content-type': 'application/json' };
    const response = await fetch(address + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (response.status !== 201) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
    return /** @type {Record<string, string>} */ (await response.json());
  };
  /** @param {Record<string, string>} by */
  const key = async (by) => {
    const { key: secret = '' } = await post('/api-keys', { name: 'x', scopes: SCOPES }, by);
    return { 'x-api-key': secret };
  };
  /** @type {Record<string, string>[]} */
  const credentials = [basic];
  for (let n = 0; n < KEYS; n++) credentials.push(await key(basic));
  for (let n = 0; n < SESSIONS; n++) {
    const { access_token: token } = await post('/sessions', { username, password }, {});
    credentials.push({ authorization: `Bearer ${token}` });
  }
  for (let n = 0; n < APPLICATIONS; n++) {
    const scopes = [...SCOPES, 'keys:manage'];
    const client = await post('/clients', { name: `Shop ${n}`, redirect_uris: [CALLBACK], scopes }, admin);
    const bearer = { authorization: `Bearer ${await tokenFor(client, { address, username, password, scopes })}` };
    credentials.push(bearer);
    for (let each = 0; each < KEYS_OF_APPLICATION; each++) credentials.push(await key(bearer));
  }
  return credentials;
}

/**
 * Obtains an access token with the consent of the member.
 * @param {Record<string, string>} client
 * @param {{ address: string, username: string, password: string, scopes: readonly string[] }} member
 */
async function tokenFor({ client_id = '', client_secret = '' }, { address, username, password, scopes }) {
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: CALLBACK,
    scope: scopes.join(' '),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  // Redirects lead to the public address, so the login must start there too.
  const browser = new Browser(address.replace('127.0.0.1', 'localhost'));
  const login = await browser.get(`/oauth/authorize?${query}`);
  const consent = await browser.submit(login, { username, password });
  const { left } = await browser.submit(consent, { decision: 'allow' });
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code: left?.searchParams.get('code') ?? '',
    redirect_uri: CALLBACK,
    code_verifier: verifier,
    client_id,
    client_secret,
  });
  const response = await fetch(`${address}/oauth/token`, { method: 'POST', body });
  if (!response.ok) throw new Error(`POST /oauth/token: ${response.status} ${await response.text()}`);
  const { access_token: token } = /** @type {Record<string, string>} */ (await response.json());
  return token;
}

import { createHash } from 'node:crypto';

import type { CreatedClient } from '@items/dtos/contract';
import { HttpClient } from '@items/testing';

/** A login page that is open in a browser. */
export interface LoginForm {
  readonly path: string;
  readonly cookie: string;
}

/** Begins an authorization as a browser does, up to the login page. */
export async function loginForm(baseUrl: string, admin: HttpClient): Promise<LoginForm> {
  const redirectUri = 'https://app.example/callback';
  const answer = await admin.post('/clients', { name: 'App', redirect_uris: [redirectUri], scopes: ['items:read'] });
  const { client_id: clientId } = answer.json() as CreatedClient;
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'items:read',
    state: 's'.repeat(32),
    code_challenge: createHash('sha256').update('v'.repeat(64)).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const begun = await new HttpClient({ baseUrl }).get(`/oauth/authorize?${query.toString()}`);
  const cookies = begun.headers.filter(([name]) => name.toLowerCase() === 'set-cookie').map(([, value]) => value);
  const path = new URL(String(begun.header('location')), baseUrl).pathname;
  if (!path.startsWith('/oauth/interaction/')) throw new Error(`No login page: ${String(begun.status)} ${begun.text}`);
  return { path, cookie: cookies.map((cookie) => String(cookie.split(';', 1)[0])).join('; ') };
}

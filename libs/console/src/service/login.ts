import { createClient, type ItemsClient } from '@items/client';
import { createLogin, type Login } from '@items/client/oauth';

import { sleep } from './connection.js';
import { settings } from './settings.js';

const { baseUrl, base } = settings;
/** Storage key of the console path to return to after a login. */
const RETURN_KEY = 'items-console:return';
const CALLBACK = `${baseUrl}/console/callback`;

/** The login of this tab, in `sessionStorage`. @throws {TypeError} The service is on plain HTTP. */
export function ownLogin(): Login {
  return createLogin({ baseUrl, clientId: 'first-party', redirectUri: CALLBACK, scopes: [] });
}

/** Finishes a login if the URL is its callback, and restores the previous path. @throws {LoginError} The login failed. */
export async function finishLogin(): Promise<void> {
  const url = location.href;
  if (location.pathname !== `${base}/callback`) return;
  history.replaceState(history.state, '', base + (sessionStorage.getItem(RETURN_KEY) ?? ''));
  await ownLogin().finish(url);
}

/** Navigates to the login page, which returns to the current URL. */
export async function signIn(): Promise<void> {
  const here = location.pathname.slice(base.length) + location.search;
  sessionStorage.setItem(RETURN_KEY, here.startsWith('/setup') ? '' : here);
  location.assign(await ownLogin().start());
}

/** Ends the session of this tab, and navigates to the page that ends the login of the browser. */
export async function signOut(): Promise<void> {
  // Ignores errors: `logout` deletes the tokens even if the service is unreachable.
  const login = ownLogin();
  await login.logout().catch(() => undefined);
  sessionStorage.clear();
  location.assign(`${baseUrl}/oauth/logout`);
}

/** A client with the login of this tab. @param isQuiet Shows no notice while the client waits. */
export async function createOwnClient(isQuiet: boolean): Promise<ItemsClient> {
  const auth = await ownLogin().resume();
  return createClient({ baseUrl, auth, fetch: fetchJson, ...(!isQuiet && { retry: { sleep } }) });
}

/** Converts an empty response to an empty object, because the client expects JSON from every operation. */
async function fetchJson(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  return response.status === 204 ? new Response('{}', { status: 200, headers: response.headers }) : response;
}

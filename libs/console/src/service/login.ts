import { createClient, type ItemsClient } from '@items/client';
import { createLogin, type Login } from '@items/client/oauth';

import { sleep } from './connection.js';
import { settings } from './settings.js';

const { baseUrl, base } = settings;
/** Where a login returns to: the path below the console. */
const RETURN_KEY = 'items-console:return';
const CALLBACK = `${baseUrl}/console/callback`;

/** The login of this window, which its storage holds. @throws {TypeError} over plain HTTP. */
export function ownLogin(): Login {
  return createLogin({ baseUrl, clientId: 'first-party', redirectUri: CALLBACK, scopes: [] });
}

/** Finishes a login if this is its response, and shows the page that it was for. @throws if the login failed. */
export async function finishLogin(): Promise<void> {
  const url = location.href;
  if (location.pathname !== `${base}/callback`) return;
  history.replaceState(history.state, '', base + (sessionStorage.getItem(RETURN_KEY) ?? ''));
  await ownLogin().finish(url);
}

/** Leads to the login page; the login returns to the current URL. */
export async function signIn(): Promise<void> {
  const here = location.pathname.slice(base.length) + location.search;
  sessionStorage.setItem(RETURN_KEY, here.startsWith('/setup') ? '' : here);
  location.assign(await ownLogin().start());
}

/** Ends the session of this window, and leads to the page that ends the login of the browser. */
export async function signOut(): Promise<void> {
  // The tokens are deleted from this window in any case.
  const login = ownLogin();
  await login.logout().catch(() => undefined);
  sessionStorage.clear();
  location.assign(`${baseUrl}/oauth/logout`);
}

/** A client with the login of this window. @param isQuiet Its pauses are not worth a sentence. */
export async function createOwnClient(isQuiet: boolean): Promise<ItemsClient> {
  // Each client has an `auth` of its own: a second question for a token means that the first was refused.
  const auth = await ownLogin().resume();
  return createClient({ baseUrl, auth, fetch: fetchJson, ...(!isQuiet && { retry: { sleep } }) });
}

/** The client expects JSON from every operation: an empty response becomes an empty object. */
async function fetchJson(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  return response.status === 204 ? new Response('{}', { status: 200, headers: response.headers }) : response;
}

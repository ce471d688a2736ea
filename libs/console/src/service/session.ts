import { createClient, type ItemsClient } from '@items/client';
import { createLogin, type Login } from '@items/client/oauth';

import type { Connection } from './connection.js';
import type { PageSettings } from './settings.js';

/** Where a login returns to: the path below the console. */
const RETURN_KEY = 'items-console:return';

/** Two clients with one login. */
export interface Clients {
  readonly client: ItemsClient;
  /** Follows events: its pauses are not worth a sentence. */
  readonly quiet: ItemsClient;
}

/** The login of this window. */
export interface Session {
  readonly login: Login;
  /** Undefined without a login. */
  readonly clients: Clients | undefined;
  /** Why the login failed. */
  readonly failure: string | undefined;
}

/** Finishes or resumes a login. Call it once: a response to a login is valid once. */
export async function openSession(settings: PageSettings, connection: Connection): Promise<Session> {
  const { baseUrl, base } = settings;
  const redirectUri = `${baseUrl}/console/callback`;
  const login = createLogin({ baseUrl, clientId: 'first-party', redirectUri, scopes: [] });
  let auth = await login.resume();
  let failure: string | undefined;
  if (location.pathname === `${base}/callback`) {
    const url = location.href;
    history.replaceState(history.state, '', base + (sessionStorage.getItem(RETURN_KEY) ?? ''));
    try {
      auth = await login.finish(url);
    } catch (error) {
      failure = (error as Error).message;
    }
  }
  if (auth === undefined) return { login, failure, clients: undefined };
  const client = createClient({ baseUrl, auth, retry: { sleep: connection.sleep }, fetch: readEmpty });
  // Each client has an `auth` of its own: a second question for a token means that the first was refused.
  return { login, failure, clients: { client, quiet: createClient({ baseUrl, auth: await login.resume() }) } };
}

/** Leads to the login page; the login returns to the current URL. */
export async function signIn(login: Login, settings: PageSettings): Promise<void> {
  const here = location.pathname.slice(settings.base.length) + location.search;
  sessionStorage.setItem(RETURN_KEY, here.startsWith('/setup') ? '' : here);
  location.assign(await login.start());
}

/** Ends the session of this window, and leads to the page that ends the login of the browser. */
export async function signOut(login: Login, settings: PageSettings): Promise<void> {
  // The tokens are deleted from this window in any case.
  await login.logout().catch(() => undefined);
  sessionStorage.clear();
  location.assign(`${settings.baseUrl}/oauth/logout`);
}

/** The client expects JSON from every operation: an empty response becomes an empty object. */
async function readEmpty(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  return response.status === 204 ? new Response('{}', { status: 200, headers: response.headers }) : response;
}

import { createClient, type ItemsClient } from '@items/client';
import { createLogin, type Login } from '@items/client/oauth';

/** What the server of this page says of the service: `/config.json`. */
interface Config {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
}

/** A page that has been loaded; without a client where no user is signed in. */
export interface Session {
  readonly config: Config;
  readonly login: Login;
  readonly client: ItemsClient | undefined;
  /** Why a login did not succeed. */
  readonly failure: string | undefined;
}

/** Reads where the service is, and ends or resumes a login. It runs once, as `finish` takes a response once. */
export async function openSession(): Promise<Session> {
  const config = (await (await fetch('/config.json')).json()) as Config;
  const login = createLogin({ ...config, redirectUri: `${location.origin}/` });
  let failure: string | undefined;
  let auth = await login.resume();
  if (new URLSearchParams(location.search).has('state')) {
    const url = location.href;
    // The code is of no use twice, and belongs in no bookmark.
    history.replaceState(null, '', '/');
    try {
      auth = await login.finish(url);
    } catch (error) {
      failure = (error as Error).message;
    }
  }
  const client = auth && createClient({ baseUrl: config.baseUrl, auth });
  return { config, login, client, failure };
}

import { AuthenticationError } from '@items/client';
import { createLogin } from '@items/client/oauth';
import { render, type JSX } from 'preact';

import { App } from './app.js';
import { ConsoleContext, type Console } from './console.js';
import type { Me } from './document/access.js';
import { modelOf } from './document/model.js';
import type { ApiDocument } from './document/openapi.js';
import { Walks } from './lists/walks.js';
import { entriesOf } from './navigation.js';
import { Messages } from './parts/messages.js';
import { Questions } from './parts/questions.js';
import { Router } from './router/router.js';
import { Connection } from './service/connection.js';
import { Feed } from './service/feed.js';
import { Labels } from './service/labels.js';
import { sentenceOf } from './service/sentence.js';
import { openSession, type Clients, type Session } from './service/session.js';
import { readSettings, type PageSettings } from './service/settings.js';
import { NeedsHttps, SignIn, Welcome, WelcomeError, WrongOrigin } from './sign-in/welcome.js';
import { Setup } from './sign-in/setup.js';

/** Shows the view that the address and the login call for. */
async function start(settings: PageSettings): Promise<JSX.Element> {
  if (location.origin !== new URL(settings.baseUrl).origin) return <WrongOrigin settings={settings} />;
  if (!isSecureContext) return <NeedsHttps settings={settings} />;
  const token = setupToken(settings);
  if (token !== undefined) return <Setup settings={settings} login={loginFor(settings)} token={token} />;
  const connection = new Connection();
  const session = await openSession(settings, connection);
  const { login, clients, failure } = session;
  if (clients === undefined) return <SignIn {...{ settings, login, failure }} />;
  try {
    const console = await openConsole(settings, connection, login, clients);
    return (
      <ConsoleContext.Provider value={console}>
        <App />
      </ConsoleContext.Provider>
    );
  } catch (error) {
    if (error instanceof AuthenticationError) {
      return <SignIn {...{ settings, login }} failure="Your login has ended. Sign in again to continue." />;
    }
    throw error;
  }
}

async function openConsole(
  settings: PageSettings,
  connection: Connection,
  login: Session['login'],
  { client, quiet }: Clients,
): Promise<Console> {
  const [document, me] = await Promise.all([readDocument(settings, login), client.users.me()]);
  const model = modelOf(document);
  const router = new Router(settings.base);
  const walks = new Walks(client);
  const user = me as unknown as Me;
  // The console opens with the first list.
  const [first] = entriesOf(model, user);
  if (router.place.value.path === '' && first !== undefined) router.replace(first.to);
  return {
    ...{ settings, connection, login, client, model, router, me: user },
    messages: new Messages(),
    questions: new Questions(),
    labels: new Labels(client),
    feed: new Feed(quiet, (event) => walks.apply(event)),
    walks,
  };
}

/** Reads the document with the token of the user, so that it counts in their quota and not in that of their network. */
async function readDocument({ base }: PageSettings, login: Session['login']): Promise<ApiDocument> {
  const token = await (await login.resume())?.token();
  const headers = { authorization: `Bearer ${String(token)}` };
  const response = await fetch(`${base.replace(/console$/, '')}openapi.json`, { headers, credentials: 'omit' });
  if (!response.ok) throw new Error('The service does not send its document. Try again in a minute.');
  return (await response.json()) as ApiDocument;
}

/** The token of the setup link. It leaves the address, so that it is in no bookmark and on no screenshot. */
function setupToken({ base }: PageSettings): string | undefined {
  if (location.pathname !== `${base}/setup`) return undefined;
  const token = location.hash.slice(1);
  history.replaceState(null, '', location.pathname);
  return token;
}

function loginFor({ baseUrl }: PageSettings): Session['login'] {
  return createLogin({ baseUrl, clientId: 'first-party', redirectUri: `${baseUrl}/console/callback`, scopes: [] });
}

const settings = readSettings(document);
if (settings.color !== undefined) document.documentElement.style.setProperty('--brand', settings.color);
const root = document.getElementById('console') ?? document.body;
start(settings).then(
  (view) => render(view, root),
  (error: unknown) =>
    render(
      <Welcome title={settings.title}>
        <WelcomeError text={sentenceOf(error)} />
        <button type="button" class="button" onClick={() => location.reload()}>
          Try again
        </button>
      </Welcome>,
      root,
    ),
);

import { render, type JSX } from 'preact';

import { App, entriesOf } from './app.js';
import { openSession } from './session.js';
import { router } from './router/router.js';
import { finishLogin, ownLogin } from './service/login.js';
import { settings } from './service/settings.js';
import { Setup, SignIn, WrongAddress } from './sign-in/sign-in.js';

async function start(): Promise<JSX.Element> {
  if (location.origin !== new URL(settings.baseUrl).origin || !isSecureContext) return <WrongAddress />;
  if (location.pathname === `${settings.base}/setup`) {
    const token = location.hash.slice(1);
    // Removes the token from the URL, so that no bookmark or screenshot contains it.
    history.replaceState(null, '', location.pathname);
    return <Setup token={token} />;
  }
  await finishLogin();
  if ((await ownLogin().resume()) === undefined) return <SignIn />;
  await openSession();
  router.start();
  // The console opens with the first list.
  const first = entriesOf()[0];
  if (router.place.value.path === '' && first !== undefined) router.replace(first.to);
  return <App />;
}

if (settings.color !== undefined) document.documentElement.style.setProperty('--brand', settings.color);
const root = document.getElementById('console') ?? document.body;
start().then(
  (view) => render(view, root),
  (error: unknown) => render(<SignIn failure={error} />, root),
);

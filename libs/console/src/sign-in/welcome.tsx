import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Login } from '@items/client/oauth';

import { Icon } from '../parts/icon.js';
import { signIn } from '../service/session.js';
import type { PageSettings } from '../service/settings.js';

/** A page without navigation, before the login. */
export function Welcome(props: { readonly title: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <main class="welcome">
      <div class="card">
        <h1>{props.title}</h1>
        {props.children}
      </div>
    </main>
  );
}

interface Props {
  readonly settings: PageSettings;
  readonly login: Login;
  readonly failure: string | undefined;
}

/** The password is typed at the service's own login page. */
export function SignIn({ settings, login, failure }: Props): JSX.Element {
  const [error, setError] = useState(failure);
  return (
    <Welcome title={settings.title}>
      <p>Sign in to see and change what is in this service. You type your password on the login page, not here.</p>
      {error !== undefined && <WelcomeError text={error} />}
      <button
        type="button"
        class="button primary large"
        onClick={() => void signIn(login, settings).catch((reason: unknown) => setError((reason as Error).message))}
      >
        Sign in
      </button>
      <p class="hint">
        For programs: <a href={`${settings.baseUrl}/docs`}>API documentation</a>
      </p>
    </Welcome>
  );
}

export function WelcomeError({ text }: { readonly text: string }): JSX.Element {
  return (
    <div class="failure" role="alert">
      <Icon name="error" />
      <p>{text}</p>
    </div>
  );
}

/** The page was opened at another address than that of the service. */
export function WrongOrigin({ settings }: { readonly settings: PageSettings }): JSX.Element {
  const right = `${settings.baseUrl}/console${location.pathname.slice(settings.base.length)}${location.search}${location.hash}`;
  return (
    <Welcome title={settings.title}>
      <p>This service has another address. Logins work there alone.</p>
      <a class="button primary large" href={right}>
        Open {new URL(settings.baseUrl).host}
      </a>
    </Welcome>
  );
}

export function NeedsHttps({ settings }: { readonly settings: PageSettings }): JSX.Element {
  return (
    <Welcome title={settings.title}>
      <p>
        The console needs HTTPS, because a login over plain HTTP could be read by others. Ask the operator to set it up.
      </p>
    </Welcome>
  );
}

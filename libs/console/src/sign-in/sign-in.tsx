import { AuthenticationError, createClient } from '@items/client';
import { useState } from 'preact/hooks';

import type { Field } from '../document/field.js';
import { Form } from '../forms/form.js';
import { Button, type WithChildren } from '../parts/elements.js';
import { Failure } from '../parts/failure.js';
import { signIn } from '../service/login.js';
import { settings } from '../service/settings.js';

function Welcome({ title = settings.title, children }: WithChildren<{ title?: string }>) {
  return (
    <main class="welcome">
      <div class="card">
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}

/** Has no password field: the user types the password on the login page of the service. */
export function SignIn(props: { readonly failure?: unknown }) {
  const [failure, setFailure] = useState(props.failure);
  return (
    <Welcome>
      <p>Sign in to see and change what is in this service. You type your password on the login page, not here.</p>
      {failure !== undefined && <Failure error={failure} onRetry={() => location.reload()} />}
      {!(failure instanceof AuthenticationError) && (
        <Button class="button primary large" onClick={() => void signIn().catch(setFailure)} children="Sign in" />
      )}
      <p class="hint">
        For programs: <a href={`${settings.baseUrl}/docs`}>API documentation</a>
      </p>
    </Welcome>
  );
}

/** Shown if the page was opened at another address than `BASE_URL`, or over plain HTTP. */
export function WrongAddress() {
  const { baseUrl, base } = settings;
  const right = new URL(`${baseUrl}/console${location.pathname.slice(base.length)}${location.search}${location.hash}`);
  const isRight = right.origin === location.origin;
  const https = 'The console needs HTTPS, because a login over plain HTTP could be read by others.';
  return (
    <Welcome>
      <p>
        {isRight
          ? `${https} Ask the operator to set it up.`
          : 'This service has another address. Logins work there alone.'}
      </p>
      {!isRight && <a class="button primary large" href={right.href} children={`Open ${right.host}`} />}
    </Welcome>
  );
}

const FIELD = { isRequired: true, isNullable: false, choices: [], target: undefined, fields: [] };
const FIELDS: readonly Field[] = [
  { ...FIELD, name: 'username', kind: 'text', description: '3 to 64 characters of a-z, 0-9, ., _ and -.' },
  { ...FIELD, name: 'password', kind: 'secret', description: 'At least 12 characters.' },
];

/** Creates the first administrator. @param token Token in the link that the service has printed. */
export function Setup({ token }: { readonly token: string }) {
  const create = async (input: object): Promise<void> => {
    const setup = createClient(settings).collection('console/setup');
    await setup.create({ token, ...input }).catch((error: unknown) => {
      // Hides the `AuthenticationError`: the form would say that the login has ended.
      throw error instanceof AuthenticationError ? new Error(error.message) : error;
    });
    await signIn();
  };
  return (
    <Welcome title="Create the first administrator">
      <p>This user may do everything, and can create further users. The link works once.</p>
      <Form label="First administrator" fields={FIELDS} submit="Create administrator" onSubmit={create} />
      <p class="hint">Then you sign in with this name and password.</p>
    </Welcome>
  );
}

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Login } from '@items/client/oauth';

import { signIn } from '../service/session.js';
import type { PageSettings } from '../service/settings.js';
import { Welcome, WelcomeError } from './welcome.js';

interface Props {
  readonly settings: PageSettings;
  readonly login: Login;
  /** From the link that the service has printed. */
  readonly token: string;
}

interface Refusal {
  readonly error: string;
  readonly details?: readonly { readonly field: string; readonly message: string }[];
}

/** Creates the first administrator. */
export function Setup({ settings, login, token }: Props): JSX.Element {
  const [refusal, setRefusal] = useState<Refusal | undefined>();
  const [isSending, setSending] = useState(false);
  const messageOf = (name: string): string | undefined =>
    refusal?.details?.find(({ field }) => field === name)?.message;
  const rest = refusal?.details?.every(({ field }) => field === 'username' || field === 'password') ?? false;

  const send = async (form: HTMLFormElement): Promise<void> => {
    const given = new FormData(form);
    setSending(true);
    try {
      const response = await fetch(`${settings.base}/setup`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token, username: given.get('username'), password: given.get('password') }),
        credentials: 'omit',
        redirect: 'error',
      });
      if (response.status === 201) return await signIn(login, settings);
      setRefusal((await response.json()) as Refusal);
    } catch {
      setRefusal({ error: 'The service did not respond. Check your connection, and try again.' });
    } finally {
      setSending(false);
    }
    requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
  };
  return (
    <Welcome title="Create the first administrator">
      <p>This user may do everything, and can create further users. The link works once.</p>
      {refusal !== undefined && !rest && <WelcomeError text={refusal.error} />}
      <form
        class="form"
        aria-label="First administrator"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSending) void send(event.currentTarget);
        }}
      >
        <Input name="username" error={messageOf('username')} />
        <Input name="password" error={messageOf('password')} />
        <button class="button primary large" aria-disabled={isSending}>
          {isSending ? 'Please wait …' : 'Create administrator'}
        </button>
      </form>
      <p class="hint">Then you sign in with this name and password.</p>
    </Welcome>
  );
}

function Input({ name, error }: { name: 'username' | 'password'; error: string | undefined }): JSX.Element {
  const shared = {
    ...{ id: name, name, required: true, autocapitalize: 'none' as const, spellcheck: false },
    'aria-invalid': error !== undefined,
    'aria-describedby': `${name}-note`,
  } as const;
  const isName = name === 'username';
  return (
    <div class="field">
      <label for={name}>{isName ? 'Username' : 'Password'}</label>
      {isName ? (
        <input {...shared} type="text" autocomplete="username" autofocus />
      ) : (
        <input {...shared} type="password" autocomplete="new-password" />
      )}
      <p id={`${name}-note`} class={error === undefined ? 'hint' : 'error'}>
        {error ?? (isName ? '3 to 64 characters of a-z, 0-9, ., _ and -.' : 'At least 12 characters.')}
      </p>
    </div>
  );
}

import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';

import { useConsole } from '../console.js';
import type { Action } from '../document/collection.js';
import { Dialog } from '../parts/dialog.js';
import { FieldName } from '../parts/field-name.js';
import type { Row } from '../service/row.js';

export interface Secret {
  readonly name: string;
  readonly value: string;
}

/** The fields of a response that are shown only once. */
export function secretsIn({ secrets }: Action, row: Row): readonly Secret[] {
  return secrets.flatMap((name) => {
    const value = row[name];
    return typeof value === 'string' ? [{ name, value }] : [];
  });
}

/** Shows secrets, once. Escape does not close it before they are copied. */
export function SecretDialog(props: {
  readonly secrets: readonly Secret[];
  readonly onClose: () => void;
}): JSX.Element {
  const { questions } = useConsole();
  const [isCopied, setCopied] = useState(false);
  const close = async (): Promise<void> => {
    const question = {
      title: 'Close without copying?',
      text: 'The secret is not shown again.',
      yes: 'Close',
      no: 'Go back',
      isDangerous: true,
    };
    if (isCopied || (await questions.ask(question))) props.onClose();
  };
  return (
    <Dialog title="Copy the secret now" onClose={() => void close()}>
      <p>It is shown only once. The service stores no copy that it could show again.</p>
      {props.secrets.map((secret) => (
        <SecretRow key={secret.name} secret={secret} onCopy={() => setCopied(true)} />
      ))}
      <div class="buttons">
        <button type="button" class="button" onClick={() => void close()}>
          Done
        </button>
      </div>
    </Dialog>
  );
}

function SecretRow({ secret, onCopy }: { readonly secret: Secret; readonly onCopy: () => void }): JSX.Element {
  const { messages } = useConsole();
  const code = useRef<HTMLElement>(null);
  const [isDone, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(secret.value);
      setDone(true);
      onCopy();
    } catch {
      if (code.current !== null) getSelection()?.selectAllChildren(code.current);
      messages.fail('The browser does not let the page copy. The secret is selected: copy it with the keyboard.');
    }
  };
  return (
    <div class="secret">
      <FieldName name={secret.name} />
      <code ref={code} onCopy={onCopy}>
        {secret.value}
      </code>
      <button type="button" class="button primary" data-first onClick={() => void copy()}>
        {isDone ? 'Copied' : 'Copy'}
      </button>
    </div>
  );
}

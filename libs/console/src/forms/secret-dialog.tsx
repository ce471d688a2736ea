import { useId, useState } from 'preact/hooks';

import { Button, Dialog, FieldName } from '../parts/elements.js';
import { ask, say } from '../parts/feedback.js';
import { text, type Row } from '../service/rows.js';

interface Props {
  readonly names: readonly string[];
  readonly row: Row;
  readonly onClose: () => void;
}

/** Shows secrets once. Asks before it closes if no secret was copied. */
export function SecretDialog({ names, row, onClose }: Props) {
  const id = useId();
  const [copied, setCopied] = useState<readonly string[]>([]);
  const copy = async (name: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text(row, name));
      setCopied([...copied, name]);
    } catch {
      const code = document.getElementById(id + name);
      if (code !== null) getSelection()?.selectAllChildren(code);
      say('The browser does not let the page copy. The secret is selected: copy it with the keyboard.', true);
    }
  };
  const close = async (): Promise<void> => {
    const question = { title: 'Close without copying?', text: 'The secret is not shown again.' };
    if (copied.length > 0 || (await ask({ ...question, yes: 'Close', no: 'Go back' }))) onClose();
  };
  return (
    <Dialog title="Copy the secret now" onClose={() => void close()}>
      <p>It is shown only once. The service stores no copy that it could show again.</p>
      {names.map((name) => (
        <div key={name} class="secret">
          <FieldName name={name} />
          <code id={id + name} onCopy={() => setCopied([...copied, name])} children={text(row, name)} />
          <Button class="button primary" data-first onClick={() => void copy(name)}>
            {copied.includes(name) ? 'Copied' : 'Copy'}
          </Button>
        </div>
      ))}
      <div class="buttons">
        <Button onClick={() => void close()}>Done</Button>
      </div>
    </Dialog>
  );
}

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { useConsole } from '../console.js';
import type { Action } from '../document/collection.js';
import { inputOf } from '../forms/draft.js';
import { Form } from '../forms/form.js';
import { Dialog } from '../parts/dialog.js';
import { fillLike } from '../router/routes.js';
import type { Row } from '../service/row.js';
import { SecretDialog, secretsIn } from './secret-dialog.js';

interface Props {
  readonly action: Action;
  /** Path of the member that the action is for. */
  readonly member: string;
  readonly subject: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** An operation beyond the table: a form of its schema, or a question if it has no fields. */
export function ActionDialog({ action, member, subject, onDone, onClose }: Props): JSX.Element {
  const { client, messages } = useConsole();
  const [response, setResponse] = useState<Row | undefined>();
  const { description = '' } = action.operation;
  const run = async (input: Row | undefined): Promise<void> => {
    const path = fillLike(action.path, member).slice(1);
    const [list, last] = [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)];
    if (action.method === 'post') setResponse(await client.collection<Row, Row | undefined>(path).create(input));
    else if (action.method === 'put') await client.collection<Row, Row>(list).replace(last, input ?? {});
    else await client.collection<Row>(list).delete(last);
    messages.say(`Done: ${action.title.toLowerCase()}.`);
    onDone();
  };
  const secrets = response === undefined ? [] : secretsIn(action, response);
  if (secrets.length > 0) return <SecretDialog secrets={secrets} onClose={onClose} />;
  return (
    <Dialog title={action.title} onClose={onClose}>
      <p class="hint">
        {subject}. {description.replace(/\s*Needs (?:the scope|one of).*$/s, '').replaceAll('`', '')}
      </p>
      <Form
        label={action.title}
        fields={action.fields}
        submit={action.method === 'delete' ? 'Delete' : 'Confirm'}
        isDangerous={action.method === 'delete'}
        onSubmit={async (draft) => {
          await run(action.fields.length === 0 ? undefined : inputOf(action.fields, draft));
          if (action.secrets.length === 0) onClose();
        }}
        onCancel={onClose}
      />
    </Dialog>
  );
}

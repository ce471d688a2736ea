import { ItemsApiError, PreconditionFailedError } from '@items/client';
import { useRef, useState } from 'preact/hooks';

import { session } from '../session.js';
import type { Action } from '../document/model.js';
import { router } from '../router/router.js';
import { send, text, type Row, type Version } from '../service/rows.js';
import { ConflictDialog } from './conflict-dialog.js';
import { draftOf, inputOf, type DraftObject } from './draft.js';
import { Form } from './form.js';
import { keepDraft, takeDraft } from './kept-draft.js';
import type { Changes } from './merge.js';
import { SecretDialog } from './secret-dialog.js';

interface Props {
  readonly label: string;
  readonly action: Action;
  readonly path: string;
  readonly submit: string;
  readonly isGuarded?: boolean;
  /** The version to edit. */
  readonly base?: Version;
  /** Reads the version to compare with after a conflict. */
  readonly readNewest?: () => Promise<Version>;
  readonly onDone: (saved: Version) => void;
  readonly onCancel: () => void;
}

type Conflict = Changes & { readonly newest: Version; readonly draft: DraftObject };

/** After a conflict, the form compares both changes. It shows secrets in the response once. */
export function ActionForm({ action, path, readNewest, onDone, ...props }: Props) {
  const { client } = session;
  const { method, fields } = action;
  const [kept] = useState(() => takeDraft(action, path));
  // Ignores newer versions of `props.base`, which may be loaded while the form is open.
  const [base] = useState(kept?.base ?? props.base);
  const [conflict, setConflict] = useState<Conflict | undefined>();
  const [withSecrets, setWithSecrets] = useState<Version | undefined>();
  const attempt = useRef({ body: '', idempotencyKey: '' });
  const secretsIn = ({ data }: Version): readonly string[] => action.secrets.filter((name) => text(data, name) !== '');
  const asInput = (row: Row = {}): Row => inputOf(fields, draftOf(fields, row), row);
  const keep = (draft: DraftObject): void => {
    router.guard = undefined;
    keepDraft(action, path, { draft, base });
  };

  const save = async (mine: Row, draft: DraftObject, from = base): Promise<void> => {
    // Resending an unchanged form uses the same key, so that it creates only one member.
    const body = JSON.stringify(mine);
    if (attempt.current.body !== body) attempt.current = { body, idempotencyKey: crypto.randomUUID() };
    const input = fields.length === 0 ? undefined : mine;
    try {
      const saved = await send(client, method, path, { input, etag: from?.etag, ...attempt.current });
      router.guard = undefined;
      setConflict(undefined);
      if (secretsIn(saved).length > 0) setWithSecrets(saved);
      else onDone(saved);
    } catch (error) {
      if (error instanceof ItemsApiError && error.code === 'secret_not_replayable') attempt.current.body = '';
      if (readNewest === undefined || !(error instanceof PreconditionFailedError)) throw error;
      const newest = await readNewest();
      setConflict({ base: asInput(from?.data), theirs: asInput(newest.data), mine, newest, draft });
    }
  };
  return (
    <>
      <Form
        {...props}
        fields={fields}
        row={base?.data}
        typed={kept?.draft}
        isDangerous={method === 'delete'}
        onSubmit={save}
        onLeave={keep}
      />
      {conflict && (
        <ConflictDialog
          key={conflict.newest.etag}
          {...{ fields, changes: conflict }}
          onSave={(merged) => save(merged, conflict.draft, conflict.newest)}
          onLeave={() => keep(conflict.draft)}
          onClose={() => setConflict(undefined)}
        />
      )}
      {withSecrets && (
        <SecretDialog names={secretsIn(withSecrets)} row={withSecrets.data} onClose={() => onDone(withSecrets)} />
      )}
    </>
  );
}

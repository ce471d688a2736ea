import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';

import { useConsole } from '../console.js';
import type { Action, Collection } from '../document/collection.js';
import { inputOf } from '../forms/draft.js';
import { Form } from '../forms/form.js';
import { Page } from '../parts/page.js';
import { Breadcrumbs } from '../router/breadcrumbs.js';
import { memberPath } from '../router/routes.js';
import { labelOf } from '../service/labels.js';
import type { Row } from '../service/row.js';
import { SecretDialog, secretsIn } from './secret-dialog.js';

interface Props {
  readonly collection: Collection;
  readonly action: Action;
  /** Path of the list. */
  readonly path: string;
}

/** The form for a new member. A form that is sent twice creates one member. */
export function NewView({ collection, action, path }: Props): JSX.Element {
  const { client, router, walks, messages, model } = useConsole();
  const [created, setCreated] = useState<Row | undefined>();
  const keyFor = useIdempotencyKey();
  const title = `New ${collection.noun}`;
  const show = async (row: Row): Promise<void> => {
    router.guard = undefined;
    walks.forget(collection.singular);
    messages.say(`${labelOf(collection, row)} is created.`);
    await router.go(memberPath(model, collection, path, row) ?? path);
  };
  return (
    <Page title={title}>
      <Breadcrumbs path={`${path}/new`} />
      <div class="page-head">
        <h1 tabIndex={-1}>{title}</h1>
      </div>
      <div class="card">
        <Form
          label={title}
          fields={action.fields}
          submit="Save"
          isGuarded
          onSubmit={async (draft) => {
            const input = inputOf(action.fields, draft);
            const row = await client
              .collection<Row, Row>(path.slice(1))
              .create(input, { idempotencyKey: keyFor(JSON.stringify(input)) });
            if (secretsIn(action, row).length === 0) return show(row);
            router.guard = undefined;
            setCreated(row);
          }}
          onCancel={() => void router.go(path)}
        />
      </div>
      {created !== undefined && (
        <SecretDialog secrets={secretsIn(action, created)} onClose={() => void show(created)} />
      )}
    </Page>
  );
}

/** Returns one key for each input, so that a repeated request creates nothing twice. */
function useIdempotencyKey(): (input: string) => string {
  return useMemo(() => {
    const keys = new Map<string, string>();
    return (input) => {
      const key = keys.get(input) ?? crypto.randomUUID();
      keys.set(input, key);
      return key;
    };
  }, []);
}

import { PreconditionFailedError } from '@items/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { useConsole } from '../console.js';
import type { Action, Collection } from '../document/collection.js';
import { ConflictDialog } from '../forms/conflict-dialog.js';
import { draftOf, inputOf } from '../forms/draft.js';
import { Form } from '../forms/form.js';
import { mergedInput, mergeOf, type FieldMerge } from '../forms/merge.js';
import { labelOf } from '../service/labels.js';
import { sentenceOf } from '../service/sentence.js';
import type { Row } from '../service/row.js';
import type { Member } from './member.js';

interface Props {
  readonly collection: Collection;
  readonly member: Member;
  readonly row: Row;
  readonly action: Action;
  readonly onDone: () => void;
}

interface Conflict {
  readonly mine: Row;
  readonly merges: readonly FieldMerge[];
  /** ETag of the version that was compared. */
  readonly etag: string | undefined;
}

/** Saves a member. If another window has saved it first, both changes are compared. */
export function EditForm({ collection, member, row, action, onDone }: Props): JSX.Element {
  const { messages, walks, router } = useConsole();
  const { fields } = action;
  // The form compares with the version that it began with, also if a newer one is loaded.
  const [base] = useState({ row, etag: member.state.value.etag });
  const [conflict, setConflict] = useState<Conflict | undefined>();
  const inputOfRow = (each: Row): Row => inputOf(fields, draftOf(fields, each));

  const save = async (mine: Row, etag: string | undefined): Promise<void> => {
    try {
      await member.replace(mine, etag);
    } catch (error) {
      if (!(error instanceof PreconditionFailedError)) throw error;
      const theirs = await member.read();
      const merges = mergeOf(fields, inputOfRow(base.row), inputOfRow(theirs.data), mine);
      setConflict({ mine, merges, etag: theirs.etag });
      return;
    }
    router.guard = undefined;
    walks.forget(collection.singular);
    messages.say(`${labelOf(collection, member.state.value.row ?? row)} is saved.`);
    onDone();
  };
  const resolve = ({ mine, merges, etag }: Conflict, choices: Readonly<Record<string, boolean>>): void => {
    setConflict(undefined);
    save(mergedInput(mine, merges, choices), etag).catch((error: unknown) => messages.fail(sentenceOf(error)));
  };
  const cancel = async (): Promise<void> => {
    if (router.guard !== undefined && !(await router.guard())) return;
    router.guard = undefined;
    onDone();
  };
  return (
    <>
      <Form
        label={`Edit ${labelOf(collection, row)}`}
        fields={fields}
        initial={draftOf(fields, row)}
        submit="Save"
        isGuarded
        onSubmit={(draft) => save(inputOf(fields, draft), base.etag)}
        onCancel={() => void cancel()}
      />
      {conflict !== undefined && (
        <ConflictDialog
          fields={fields}
          merges={conflict.merges}
          onSave={(choices) => resolve(conflict, choices)}
          onClose={() => setConflict(undefined)}
        />
      )}
    </>
  );
}

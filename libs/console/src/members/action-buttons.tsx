import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { useConsole } from '../console.js';
import { mayCall } from '../document/access.js';
import type { Action, Collection } from '../document/collection.js';
import { labelOf } from '../service/labels.js';
import type { Row } from '../service/row.js';
import { sentenceOf } from '../service/sentence.js';
import { ActionDialog } from './action-dialog.js';
import type { Member } from './member.js';

interface Props {
  readonly collection: Collection;
  readonly path: string;
  readonly row: Row;
  readonly owner: string | undefined;
  readonly member: Member;
  readonly onEdit: () => void;
}

/** Buttons for each operation that the user may call. Dangerous ones are red and apart. */
export function ActionButtons({ collection, path, row, owner, member, onEdit }: Props): JSX.Element {
  const { me } = useConsole();
  const [action, setAction] = useState<Action | undefined>();
  const may = (each: Action | undefined): boolean => mayCall(each?.operation, me, owner);
  return (
    <div class="actions">
      {may(collection.replace) && (
        <button type="button" class="button primary" onClick={onEdit}>
          Edit
        </button>
      )}
      {collection.actions.filter(may).map((each) => (
        <button
          key={each.method + each.path}
          type="button"
          class={each.method === 'delete' ? 'button danger apart' : 'button'}
          onClick={() => setAction(each)}
        >
          {each.title}
        </button>
      ))}
      {mayCall(collection.remove, me, owner) && <DeleteButton {...{ collection, path, row, member }} />}
      {action !== undefined && (
        <ActionDialog
          action={action}
          member={path}
          subject={labelOf(collection, row)}
          onDone={() => void member.load()}
          onClose={() => setAction(undefined)}
        />
      )}
    </div>
  );
}

function DeleteButton({ collection, path, row, member }: Omit<Props, 'owner' | 'onEdit'>): JSX.Element {
  const { questions, messages, walks, router } = useConsole();
  const label = labelOf(collection, row);
  const remove = async (): Promise<void> => {
    const question = { title: `Delete ${label}?`, text: `The ${collection.noun} “${label}” is deleted for good.` };
    if (!(await questions.ask({ ...question, yes: 'Delete', isDangerous: true }))) return;
    try {
      await member.remove();
    } catch (error) {
      return messages.fail(sentenceOf(error));
    }
    walks.forget(collection.singular);
    messages.say(`${label} is deleted.`);
    await router.go(path.slice(0, path.lastIndexOf('/')));
  };
  return (
    <button type="button" class="button danger apart" onClick={() => void remove()}>
      Delete
    </button>
  );
}

import { useState } from 'preact/hooks';

import { inSentence } from '../service/labels.js';
import { session } from '../session.js';
import type { Action } from '../document/model.js';
import { pathBelow } from '../document/paths.js';
import { ActionForm } from '../forms/action-form.js';
import { Button, Dialog, type IconName } from '../parts/elements.js';
import { say } from '../parts/feedback.js';

interface Props {
  readonly actions: readonly Action[];
  /** Path of the member or the list. */
  readonly path: string;
  /** Name of the member or the list. */
  readonly subject: string;
  readonly icon?: IconName;
  readonly onDone: (isDeleted: boolean) => void;
}

/** Buttons for the operations that the user may call. Deletions are red and apart. */
export function Actions({ actions, icon, ...props }: Props) {
  const [chosen, choose] = useState<Action | undefined>();
  const { path } = props;
  return (
    <>
      {actions
        .filter(({ operation, path: template }) => session.may(operation, pathBelow(path, template)))
        .map((action) => {
          const danger = action.method === 'delete' ? 'danger apart' : '';
          return (
            <Button key={action.title} class={`button ${danger}`} icon={icon} onClick={() => choose(action)}>
              {deletes(action, path) ? 'Delete' : action.title}
            </Button>
          );
        })}
      {chosen && <ActionDialog {...props} action={chosen} onClose={() => choose(undefined)} />}
    </>
  );
}

type DialogProps = Omit<Props, 'actions'> & { readonly action: Action; readonly onClose: () => void };

/** The dialog of an operation: a form, or only a confirmation if the operation has no fields. */
function ActionDialog({ action, path, subject, onDone, onClose }: DialogProps) {
  const isDeletion = deletes(action, path);
  const title = isDeletion ? `Delete ${subject}?` : action.title;
  const description = action.operation.description?.replace(/\s*Needs (?:the scope|one of).*$/s, '') ?? '';
  return (
    <Dialog title={title} onClose={onClose}>
      <p class="hint">
        {isDeletion ? `“${subject}” is deleted for good.` : `${subject}. ${description.replaceAll('`', '')}`}
      </p>
      <ActionForm
        {...{ action, path: pathBelow(path, action.path), label: title, onCancel: onClose }}
        submit={action.method === 'delete' ? 'Delete' : 'Confirm'}
        onDone={() => {
          say(isDeletion ? `${subject} is deleted.` : `Done: ${inSentence(action.title)}.`);
          onClose();
          onDone(isDeletion);
        }}
      />
    </Dialog>
  );
}

/** Whether an action deletes the member at a path, not a resource below it. */
function deletes(action: Action, path: string): boolean {
  return action.method === 'delete' && pathBelow(path, action.path) === path;
}

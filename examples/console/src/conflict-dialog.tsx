import type { Item, ItemInput } from '@items/client';

import { Dialog } from './dialog';

const FIELDS = ['name', 'description', 'color', 'price'] as const;

interface Props {
  /** Undefined: it was to be deleted. */
  readonly mine: ItemInput | undefined;
  /** Undefined: it was deleted. */
  readonly theirs: Item | undefined;
  readonly onResolve: (takesMine: boolean) => void;
  readonly onClose: () => void;
}

/** Someone else was faster. Nothing is written before the user has seen what they wrote. */
export function ConflictDialog({ mine, theirs, onResolve, onClose }: Props) {
  const happened = theirs === undefined ? 'deleted' : 'changed';
  return (
    <Dialog title="Someone else was faster" onClose={onClose}>
      <p>The item was {happened} after you opened it. Nothing of yours is saved yet.</p>
      {theirs !== undefined && mine !== undefined && (
        <table>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Theirs</th>
              <th scope="col">Yours</th>
            </tr>
          </thead>
          <tbody>
            {FIELDS.filter((field) => (mine[field] ?? null) !== theirs[field]).map((field) => (
              <tr key={field}>
                <th scope="row">{field}</th>
                <td>{theirs[field] ?? '–'}</td>
                <td>{mine[field] ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className="toolbar">
        <button onClick={() => onResolve(false)}>{theirs === undefined ? 'Leave it deleted' : 'Take theirs'}</button>
        <button className="primary" onClick={() => onResolve(true)}>
          {mine === undefined ? 'Delete it all the same' : theirs === undefined ? 'Create it again' : 'Save mine'}
        </button>
      </p>
    </Dialog>
  );
}

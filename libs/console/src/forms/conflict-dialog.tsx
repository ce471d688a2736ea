import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { Field } from '../document/field.js';
import { Dialog } from '../parts/dialog.js';
import { FieldName } from '../parts/field-name.js';
import { Value } from '../parts/value.js';
import type { FieldMerge } from './merge.js';

interface Props {
  readonly fields: readonly Field[];
  readonly merges: readonly FieldMerge[];
  /** @param choices For each conflict, whether mine is saved. */
  readonly onSave: (choices: Readonly<Record<string, boolean>>) => void;
  readonly onClose: () => void;
}

/** Compares two changes of the same member. Nothing is written before the user has decided. */
export function ConflictDialog({ fields, merges, onSave, onClose }: Props): JSX.Element {
  const [choices, setChoices] = useState<Readonly<Record<string, boolean>>>({});
  const conflicts = merges.filter(({ side }) => side === 'conflict');
  const isDecided = conflicts.every(({ name }) => name in choices);
  const value = (name: string, shown: unknown): JSX.Element => {
    const field = fields.find((each) => each.name === name);
    return field === undefined ? <>{String(shown)}</> : <Value field={field} value={shown} isCell />;
  };
  const choice = ({ name, side }: FieldMerge, isMine: boolean): JSX.Element => {
    if (side !== 'conflict') return <>{side === (isMine ? 'mine' : 'theirs') && <span class="badge on">kept</span>}</>;
    const label = `${isMine ? 'Keep mine' : 'Keep theirs'}: ${name}`;
    const select = (): void => setChoices({ ...choices, [name]: isMine });
    return <input type="radio" name={name} aria-label={label} checked={choices[name] === isMine} onChange={select} />;
  };
  return (
    <Dialog title="Somebody else has saved this, too" onClose={onClose} isWide>
      <p>
        {conflicts.length === 0
          ? 'You changed different fields. Both changes can be saved.'
          : 'Choose which values to keep where both of you changed the same field. Nothing of yours is saved yet.'}
      </p>
      <div class="table-frame" tabIndex={0} role="region" aria-label="Differences">
        <table class="inner compare">
          <thead>
            <tr>
              {['Field', 'Base', 'Theirs', 'Mine'].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {merges.map((merge) => (
              <tr key={merge.name}>
                <th scope="row">
                  <FieldName name={merge.name} />
                </th>
                <td>{value(merge.name, merge.base)}</td>
                <td>
                  <label>
                    {choice(merge, false)} {value(merge.name, merge.theirs)}
                  </label>
                </td>
                <td>
                  <label>
                    {choice(merge, true)} {value(merge.name, merge.mine)}
                  </label>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div class="buttons">
        <button type="button" class="button primary" disabled={!isDecided} onClick={() => onSave(choices)}>
          Save
        </button>
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}

import { useState } from 'preact/hooks';

import type { Field } from '../document/field.js';
import { Dialog, FieldName, SmallTable } from '../parts/elements.js';
import { Value } from '../parts/value.js';
import type { Row } from '../service/rows.js';
import { Form } from './form.js';
import { mergedInput, mergeOf, type Changes, type FieldMerge } from './merge.js';

interface Props {
  readonly fields: readonly Field[];
  readonly changes: Changes;
  readonly onSave: (merged: Row) => Promise<void>;
  readonly onLeave: () => void;
  readonly onClose: () => void;
}

/** Compares two changes of the same member. Nothing is written before the user has decided. */
export function ConflictDialog({ fields, changes, onSave, onLeave, onClose }: Props) {
  const [choices, setChoices] = useState<Readonly<Record<string, 'theirs' | 'mine'>>>({});
  const merges = mergeOf(fields, changes);
  const conflicts = merges.filter(({ side }) => side === 'conflict');
  const cell = ({ field, side }: FieldMerge, column: 'theirs' | 'mine') => {
    const { name } = field;
    const radio = {
      ...{ name, checked: choices[name] === column, 'aria-label': `Keep ${column}: ${name}` },
      onChange: () => setChoices({ ...choices, [name]: column }),
    };
    return (
      <label>
        {side === column && <span class="badge on">kept</span>}
        {side === 'conflict' && <input type="radio" {...radio} />}{' '}
        <Value field={field} value={changes[column][name]} isCell />
      </label>
    );
  };
  const rows = merges.map((merge) => [
    <FieldName name={merge.field.name} />,
    <Value field={merge.field} value={changes.base[merge.field.name]} isCell />,
    cell(merge, 'theirs'),
    cell(merge, 'mine'),
  ]);
  return (
    <Dialog title="Somebody else has saved this, too" onClose={onClose} class="wide">
      <p>
        {conflicts.length === 0
          ? 'You changed different fields. Both changes can be saved.'
          : 'Choose which values to keep where both of you changed the same field. Nothing of yours is saved yet.'}
      </p>
      <SmallTable label="Differences" heads={['Field', 'Base', 'Theirs', 'Mine']} rows={rows} />
      <Form
        {...{ label: 'Choice', fields: [], submit: 'Save', onLeave, onCancel: onClose }}
        isReady={conflicts.every(({ field }) => field.name in choices)}
        onSubmit={() => onSave(mergedInput(changes, choices))}
      />
    </Dialog>
  );
}

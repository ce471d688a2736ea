import { useEffect, useId, useState } from 'preact/hooks';

import { namingField } from '../document/field.js';
import type { Collection } from '../document/model.js';
import { useList } from '../lists/use-list.js';
import { useSettled } from '../parts/use-settled.js';
import { labelOf, shortId } from '../service/labels.js';
import { idOf } from '../service/rows.js';
import { session } from '../session.js';

interface Props {
  readonly shared: object;
  readonly collection: Collection;
  /** An id, or other typed text. */
  readonly value: string;
  readonly onChange: (id: string) => void;
}

const OPTIONS = 20;
const TYPING_MS = 250;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Finds a member of another collection by the beginning of its name. Also accepts an id. */
export function ReferenceInput({ shared, collection, value, onChange }: Props) {
  const listId = useId();
  const [typed, setTyped] = useState<string | undefined>();
  const known = value === '' ? undefined : session.labels.find(collection, value);
  const name = namingField(collection.fields)?.name ?? '';
  // Without a prefix filter, the list suggests its first members.
  const isSearched = collection.filters.some((filter) => filter.name === `${name}_prefix`);
  const search = typed ?? (ID.test(value) ? '' : value);
  const prefix = useSettled(isSearched ? search.trim() : '', TYPING_MS);
  const list = useList(collection, collection.path, prefix === '' ? {} : { sort: name, [`${name}_prefix`]: prefix });
  const rows = list.state.value.rows.slice(0, OPTIONS);
  const labels = rows.map((row) => labelOf(collection, row));
  const options = rows.map((row, index) => {
    const label = labels[index] ?? '';
    // Ambiguous names are followed by the id.
    const isTwice = labels.indexOf(label) !== labels.lastIndexOf(label);
    return { id: idOf(row), label: isTwice ? `${label} (${shortId(idOf(row))})` : label };
  });
  const idNamed = (text: string): string | undefined => options.find(({ label }) => label === text)?.id;
  // The options may arrive after the name was typed.
  const found = idNamed(value);
  useEffect(() => {
    if (found !== undefined) onChange(found);
  }, [found]);
  return (
    <>
      <input
        {...{ ...shared, type: 'text', list: listId, autocomplete: 'off', spellcheck: false }}
        placeholder="Type to search"
        value={typed ?? known ?? value}
        onInput={({ currentTarget: { value: next } }) => {
          setTyped(next);
          onChange(idNamed(next) ?? next);
        }}
        onBlur={() => setTyped(undefined)}
      />
      <datalist id={listId}>
        {options.map(({ id, label }) => (
          <option key={id} value={label} />
        ))}
      </datalist>
    </>
  );
}

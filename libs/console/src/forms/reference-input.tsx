import type { JSX } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';

import { useConsole } from '../console.js';
import type { Collection } from '../document/collection.js';
import { namingField } from '../document/field.js';
import { useStore } from '../parts/store.js';
import { labelOf, shortId } from '../service/labels.js';
import { idOf, type Row } from '../service/row.js';

/** Attributes of every input of a form. */
export interface InputAttributes {
  readonly id: string;
  readonly name: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-required': boolean;
  readonly 'aria-describedby': string | undefined;
}

interface Props {
  readonly shared: InputAttributes;
  /** Path of the collection. */
  readonly target: string;
  /** An id, or what was typed. */
  readonly value: string;
  readonly onChange: (id: string) => void;
}

interface Option {
  readonly id: string;
  readonly label: string;
}

const OPTIONS = 20;
const TYPING_MS = 250;

/** A member of another collection, found by the beginning of its name. An id may be typed as well. */
export function ReferenceInput({ shared, target, value, onChange }: Props): JSX.Element {
  const { model, labels } = useConsole();
  useStore(labels.changed);
  const listId = useId();
  const collection = model.collections.find(({ path }) => path === target);
  const known = collection && value !== '' ? labels.find(collection, value) : undefined;
  const [typed, setTyped] = useState<string | undefined>();
  const options = useOptions(collection, typed ?? '');
  return (
    <>
      <input
        {...shared}
        type="text"
        list={listId}
        autocomplete="off"
        spellcheck={false}
        placeholder="Type to search"
        value={typed ?? known ?? value}
        onInput={({ currentTarget: { value: next } }) => {
          setTyped(next);
          onChange(options.find(({ label }) => label === next)?.id ?? next);
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

/** Members whose name begins with what was typed, if the list can be narrowed so; else the first ones. */
function useOptions(collection: Collection | undefined, typed: string): readonly Option[] {
  const { client, labels } = useConsole();
  const [options, setOptions] = useState<readonly Option[]>([]);
  const field = namingField(collection?.fields ?? [])?.name ?? '';
  const isSearched = collection?.filters.some(({ name }) => name === `${field}_prefix`) === true;
  const prefix = isSearched ? typed.trim() : '';
  useEffect(() => {
    if (collection === undefined) return;
    const query = { limit: OPTIONS, ...(prefix !== '' && { sort: field, [`${field}_prefix`]: prefix }) };
    const load = async (): Promise<void> => {
      const page = await client.collection<Row>(collection.path.slice(1)).page(query);
      const rows = page[collection.listName] as readonly Row[];
      labels.learn(collection, rows);
      setOptions(distinct(rows.map((row) => ({ id: idOf(row), label: labelOf(collection, row) }))));
    };
    // Without options an id can still be typed.
    const timer = setTimeout(() => void load().catch(() => undefined), prefix === '' ? 0 : TYPING_MS);
    return () => clearTimeout(timer);
  }, [client, collection, field, prefix, labels]);
  return options;
}

/** Adds an id to names that two members have. */
function distinct(options: readonly Option[]): readonly Option[] {
  const isTwice = (label: string): boolean => options.filter((option) => option.label === label).length > 1;
  return options.map(({ id, label }) => ({ id, label: isTwice(label) ? `${label} (${shortId(id)})` : label }));
}

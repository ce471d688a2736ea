import { definitionOf, type FieldDefinition } from '@items/fields';

import type { CollectionDefinition } from '../../data/definition/collection.js';
import type { UniqueKey } from '../../data/definition/unique-keys.js';
import { StartRefusedError } from '../../data/definition/start-refused.js';

type KeyedCollection = Pick<CollectionDefinition<never, object>, 'name' | 'dto' | 'unique' | 'ownFields'>;

/** Maximum number of characters of the texts of a key, so that an index entry of PostgreSQL has room for them. */
const MAX_TEXT = 200;

/** Refuses unique keys that no index can decide. @throws {StartRefusedError} */
export function requireSoundKeys({ name, dto, unique = [], ownFields = [] }: KeyedCollection): void {
  const { fields } = definitionOf(dto);
  const known = new Map([...fields].filter(([field]) => ownFields.includes(field)));
  const seen = new Set<string>();
  for (const key of unique) {
    const problem = problemOf(key, known) ?? (seen.has(key.index) ? 'is declared twice' : undefined);
    if (problem !== undefined)
      throw new StartRefusedError(`The unique key "${key.fields.join(', ')}" of the collection "${name}" ${problem}.`);
    seen.add(key.index);
  }
}

function problemOf({ fields }: UniqueKey, known: ReadonlyMap<string, FieldDefinition>): string | undefined {
  if (fields.length === 0) return 'needs a field';
  if (new Set(fields).size < fields.length) return 'names a field twice';
  let characters = 0;
  for (const name of fields) {
    const field = known.get(name);
    if (field === undefined) return `needs a field "${name}", and the collection has none`;
    const { type } = field.schema;
    if (type === 'array' || type === 'object')
      return `cannot contain "${name}": lists and objects cannot be compared by an index`;
    characters += textOf(field);
  }
  if (characters <= MAX_TEXT) return undefined;
  const most = String(MAX_TEXT);
  return `allows ${String(characters)} characters: the texts of a key have together at most ${most} characters`;
}

/** Ids, times and choices are short. */
function textOf({ kind, schema: { type, format, enum: words, maxLength } }: FieldDefinition): number {
  const isText = kind === 'plain' && type === 'string' && format !== 'uuid' && words === undefined;
  return isText ? Number(maxLength) : 0;
}

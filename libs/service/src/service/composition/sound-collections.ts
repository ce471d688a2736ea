import { definitionOf, type DtoClass, type FieldDefinition } from '@items/fields';

import type { CollectionDefinition } from '../../data/definition/collection.js';
import type { ReferenceTarget, StoredReference } from '../../data/definition/references.js';
import { StartRefusedError } from '../../data/definition/start-refused.js';
import type { UniqueKey } from '../../data/definition/unique-keys.js';

type KeyedCollection = Pick<CollectionDefinition<never, object>, 'name' | 'dto' | 'unique' | 'ownFields'>;

/** Maximum characters of all texts of a key together: they must fit an index entry of PostgreSQL. */
const MAX_TEXT = 200;

/** Refuses unique keys that an index cannot enforce. @throws {StartRefusedError} */
export function requireSoundKeys({ name, dto, unique = [], ownFields = [] }: KeyedCollection): void {
  const { fields } = definitionOf(dto);
  const known = new Map([...fields].filter(([field]) => ownFields.includes(field)));
  const seen = new Set<string>();
  for (const key of unique) {
    const problem = keyProblem(key, known) ?? (seen.has(key.index) ? 'is declared twice' : undefined);
    if (problem !== undefined)
      throw new StartRefusedError(`The unique key "${key.fields.join(', ')}" of the collection "${name}" ${problem}.`);
    seen.add(key.index);
  }
}

function keyProblem({ fields }: UniqueKey, known: ReadonlyMap<string, FieldDefinition>): string | undefined {
  if (fields.length === 0) return 'needs a field';
  if (new Set(fields).size < fields.length) return 'names a field twice';
  let characters = 0;
  for (const name of fields) {
    const field = known.get(name);
    if (field === undefined) return `needs a field "${name}", and the collection has none`;
    const { type } = field.schema;
    if (type === 'array' || type === 'object')
      return `cannot contain "${name}": lists and objects cannot be compared by an index`;
    characters += maxTextLength(field);
  }
  if (characters <= MAX_TEXT) return undefined;
  const most = String(MAX_TEXT);
  return `allows ${String(characters)} characters: the texts of a key have together at most ${most} characters`;
}

/** Ids, times and choices count as 0, because they are short. */
function maxTextLength({ kind, schema: { type, format, enum: words, maxLength } }: FieldDefinition): number {
  const isText = kind === 'plain' && type === 'string' && format !== 'uuid' && words === undefined;
  return isText ? Number(maxLength) : 0;
}

type RelatedCollection = Pick<CollectionDefinition<never, object>, 'name' | 'dto' | 'parent' | 'references'>;

/** Refuses references and parents that the service cannot enforce. @throws {StartRefusedError} */
export function requireSoundReferences(collections: readonly RelatedCollection[]): void {
  for (const { name, dto, parent, references = [] } of collections) {
    if (parent !== undefined && parent !== 'user_id' && !references.some(({ isParent }) => isParent)) {
      throw new StartRefusedError(
        `The collection "${name}" has the column "${parent}" of a parent that it does not name: give collection() the parent, or serve it by a controller of your own and add it to "others" of ServiceModule.forFeature().`,
      );
    }
    for (const reference of references) {
      const problem = referenceProblem(reference, collections);
      if (problem !== undefined) throw new StartRefusedError(`The collection "${name}" ${problem}.`);
    }
    requireNoNested(name, dto);
  }
}

function referenceProblem(
  { column, target, isParent, onDelete }: StoredReference,
  collections: readonly RelatedCollection[],
): string | undefined {
  const found = target() as ReferenceTarget | undefined;
  if (found === undefined || !collections.includes(found as never)) {
    const named = found === undefined ? 'a collection' : `the collection "${found.name}"`;
    return `${isParent ? 'has as its parent' : `refers by "${column}" to`} ${named} that the service does not have: add it to collections`;
  }
  if (found.parent === undefined) return undefined;
  if (isParent) return `cannot be below "${found.name}": a collection with a parent is no parent`;
  if (found.parent !== 'user_id' || onDelete === 'keep') return undefined;
  return `refers by "${column}" to "${found.name}", whose members belong to users: add { onDelete: 'keep' } to @Reference()`;
}

/** A reference within an object or a list of objects has no column, so nothing would check it. */
function requireNoNested(collection: string, dto: DtoClass, isNested = false): void {
  for (const [field, { nested, reference }] of definitionOf(dto).fields) {
    if (isNested && reference !== undefined) {
      throw new StartRefusedError(
        `The collection "${collection}" has @Reference() on "${field}" of a nested class: use @RowId() there, and check the id in a rule.`,
      );
    }
    if (nested !== undefined) requireNoNested(collection, nested(), true);
  }
}

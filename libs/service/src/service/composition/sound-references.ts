import { definitionOf, type DtoClass } from '@items/fields';

import type { CollectionDefinition } from '../../data/definition/collection.js';
import type { ReferenceTarget, StoredReference } from '../../data/definition/references.js';
import { StartRefusedError } from '../../data/definition/start-refused.js';

type RelatedCollection = Pick<CollectionDefinition<never, object>, 'name' | 'dto' | 'parent' | 'references'>;

/** Refuses references and parents that the service could not keep. @throws {StartRefusedError} */
export function requireSoundReferences(collections: readonly RelatedCollection[]): void {
  for (const { name, dto, parent, references = [] } of collections) {
    if (parent !== undefined && parent !== 'user_id' && !references.some(({ isParent }) => isParent)) {
      throw new StartRefusedError(
        `The collection "${name}" has the column "${parent}" of a parent that it does not name: give collection() the parent, or serve it by a controller of your own and add it to "others" of ServiceModule.forFeature().`,
      );
    }
    for (const reference of references) {
      const problem = problemOf(reference, collections);
      if (problem !== undefined) throw new StartRefusedError(`The collection "${name}" ${problem}.`);
    }
    requireNoNested(name, dto);
  }
}

function problemOf(
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

import { type DtoClass, ReadOnly, Reference, RowId } from '@items/fields';

import type { ReferenceTarget } from '../../data/definition/references.js';

/** Option `parent` of `collection()`: users, or another collection. */
export type ParentOption = 'users' | ReferenceTarget;

/** Returns the column of the parent: `user_id`, or `author_id` for the singular `author`. */
export function parentColumn(parent: ParentOption | undefined): string | undefined {
  if (parent === undefined) return undefined;
  return parent === 'users' ? 'user_id' : `${parent.singular.toLowerCase().replaceAll(' ', '_')}_id`;
}

/** Adds the column of the parent to a class. Responses show it, and values that clients send are ignored. */
export function addParentField(dto: DtoClass, parent: ParentOption | undefined): void {
  const column = parentColumn(parent);
  if (parent === undefined || column === undefined) return;
  const prototype = dto.prototype as object;
  if (parent === 'users') RowId({ description: 'The user to whom it belongs.' })(prototype, column);
  else Reference(parent, { description: `The ${parent.singular} to which it belongs.` })(prototype, column);
  ReadOnly()(prototype, column);
}

import { type DtoClass, ReadOnly, Reference, RowId } from '@items/fields';

import type { ReferenceTarget } from '../../data/definition/references.js';
import { StartRefusedError } from '../../data/definition/start-refused.js';

export type ParentOption = 'users' | ReferenceTarget;

/**
 * `user_id`, or `author_id` for the singular `author`.
 * @throws {StartRefusedError} Members of a deleted parent would have no path.
 */
export function parentColumn(parent: ParentOption | undefined, onDelete?: 'refuse' | 'keep'): string | undefined {
  if (parent === undefined) return undefined;
  if (parent !== 'users' && onDelete === 'keep') {
    throw new StartRefusedError(
      `Members below "${parent.name}" cannot outlive their ${parent.singular}: onDelete: 'keep' needs parent: 'users'.`,
    );
  }
  return parent === 'users' ? 'user_id' : `${parent.singular.toLowerCase().replaceAll(' ', '_')}_id`;
}

/** Responses show the column, and values that clients send are ignored. */
export function addParentField(dto: DtoClass, parent: ParentOption | undefined): void {
  const column = parentColumn(parent);
  if (parent === undefined || column === undefined) return;
  const prototype = dto.prototype as object;
  if (parent === 'users') RowId({ description: 'The user to whom it belongs.' })(prototype, column);
  else Reference(parent, { description: `The ${parent.singular} to which it belongs.` })(prototype, column);
  ReadOnly()(prototype, column);
}

import { isReadOnly, same } from '../collections/comparison.js';

export interface MergedEdits<T> {
  /** Each field has the value of the edit that changed it. A field in conflict has the value of `mine`. */
  readonly merged: T;
  /** Fields that both edits changed to different values. */
  readonly conflicts: readonly string[];
}

/**
 * Merges two edits of one resource field by field. An omitted field counts as null. `id`, `created_at` and
 * `updated_at` come from `theirs`.
 * @param base The common state before both edits.
 * @param mine The edit that was refused.
 * @param theirs The current state on the service.
 */
export function mergeEdits<T extends object>(base: T, mine: Partial<T>, theirs: T): MergedEdits<T> {
  const merged: Record<string, unknown> = {};
  const conflicts: string[] = [];
  for (const field of new Set([theirs, mine, base].flatMap((edit) => Object.keys(edit)))) {
    const isMine = !isReadOnly(field) && !same(base, mine, field);
    const value: unknown = Reflect.get(isMine ? mine : theirs, field);
    if (value !== undefined) merged[field] = value;
    if (isMine && !same(base, theirs, field) && !same(mine, theirs, field)) conflicts.push(field);
  }
  return { merged: merged as T, conflicts };
}

import { isReadOnly, same } from '../collections/comparison.js';

export interface MergedEdits<T> {
  /** Each field as the one who changed it has it; where both changed it differently: as mine. */
  readonly merged: T;
  /** Fields that both changed differently. */
  readonly conflicts: readonly string[];
}

/**
 * Merges two edits of one resource field by field. An omitted field is null; `id`, `created_at` and `updated_at` are theirs.
 * @param base what both began with. @param mine the edit that was refused. @param theirs what the service has now.
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

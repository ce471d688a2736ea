import { mergeEdits } from '@items/client/admin';

import type { Field } from '../document/field.js';
import type { Row } from '../service/rows.js';

export type Changes = Readonly<Record<'base' | 'theirs' | 'mine', Row>>;

/** A changed field: `conflict` if both sides changed it to different values. */
export interface FieldMerge {
  readonly field: Field;
  readonly side: 'theirs' | 'mine' | 'conflict';
}

/** Compares field by field. Omits unchanged fields, and secrets, because they cannot be read. */
export function mergeOf(fields: readonly Field[], { base, theirs, mine }: Changes): readonly FieldMerge[] {
  const { merged, conflicts } = mergeEdits<Row>(base, mine, theirs);
  const isSame = (one: Row, other: Row, { name }: Field): boolean =>
    JSON.stringify(one[name] ?? null) === JSON.stringify(other[name] ?? null);
  return fields
    .filter((field) => field.kind !== 'secret' && !(isSame(base, theirs, field) && isSame(base, mine, field)))
    .map((field) => {
      if (conflicts.includes(field.name)) return { field, side: 'conflict' };
      return { field, side: isSame(merged, theirs, field) ? 'theirs' : 'mine' };
    });
}

/** Returns the member to save. @param choices The side to keep for each field in conflict. */
export function mergedInput({ base, theirs, mine }: Changes, choices: Readonly<Record<string, string>>): Row {
  const { merged, conflicts } = mergeEdits<Row>(base, mine, theirs);
  const lost = conflicts.filter((name) => choices[name] !== 'mine');
  return { ...merged, ...Object.fromEntries(lost.map((name) => [name, theirs[name]])) };
}

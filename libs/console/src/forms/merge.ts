import type { Field } from '../document/field.js';
import type { Row } from '../service/row.js';

/** A changed field: `conflict` if both sides changed it to different values. */
export interface FieldMerge {
  readonly name: string;
  readonly base: unknown;
  readonly theirs: unknown;
  readonly mine: unknown;
  readonly side: 'mine' | 'theirs' | 'conflict';
}

/** Compares two changes of one member, field by field. Unchanged fields are omitted. */
export function mergeOf(fields: readonly Field[], base: Row, theirs: Row, mine: Row): readonly FieldMerge[] {
  return fields.flatMap(({ name, kind }): readonly FieldMerge[] => {
    // A secret is never read, so only mine is known.
    if (kind === 'secret') return [];
    const values = { name, base: base[name], theirs: theirs[name], mine: mine[name] };
    const isTheirs = !isSame(values.base, values.theirs);
    const isMine = !isSame(values.base, values.mine);
    if (!isTheirs && !isMine) return [];
    if (isTheirs && isMine && !isSame(values.theirs, values.mine)) return [{ ...values, side: 'conflict' }];
    return [{ ...values, side: isTheirs ? 'theirs' : 'mine' }];
  });
}

/** The member to save. @param choices For each conflict, whether mine is saved. */
export function mergedInput(mine: Row, merges: readonly FieldMerge[], choices: Readonly<Record<string, boolean>>): Row {
  const theirs = merges.filter(
    ({ name, side }) => side === 'theirs' || (side === 'conflict' && choices[name] !== true),
  );
  return { ...mine, ...Object.fromEntries(theirs.map(({ name, theirs: value }) => [name, value])) };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}

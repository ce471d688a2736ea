import type { VersionedRow } from '../store/schema/versioned-row.js';

import type { Values } from './collection.js';
import { formatTime } from './write-json.js';
import { derivedWriter, memberWriter, type ShownField } from './row-writer.js';

type Comparison = (before: VersionedRow, after: VersionedRow) => string;

/**
 * Makes the function that writes what a row was, of what is shown otherwise of it now: `{"price":5,"updated_at":"…"}`, byte
 * for byte what JSON.stringify makes of those members. What stands in the columns is compared first: most of it stays.
 * @param unchanging whether `updated_at` is not shown.
 */
export function formerWriter(fields: readonly ShownField[], unchanging: boolean): Comparison {
  const comparisons = fields.map(comparisonOf);
  return (before, after) => {
    let text = '';
    for (const former of comparisons) text += former(before, after);
    if (!unchanging && before.updated_at !== after.updated_at) {
      text += `,"updated_at":"${formatTime(before.updated_at)}"`;
    }
    return `{${text.slice(1)}}`;
  };
}

function comparisonOf(field: ShownField): Comparison {
  const { name, column, derive } = field;
  if (derive !== undefined) {
    const write = derivedWriter(name, derive);
    return (before, after) => unlessSame(write(before), write(after));
  }
  const write = memberWriter(field);
  return (before, after) => {
    const was = (before as unknown as Values)[column];
    const is = (after as unknown as Values)[column];
    // The same may stand otherwise in a row that was read and in one that is written.
    return was === is ? '' : unlessSame(write(was), write(is));
  };
}

function unlessSame(former: string, now: string): string {
  return former === now ? '' : former;
}

export const NONE: ReadonlySet<string> = new Set();
/** Greater than all ids. */
const LAST = 'g';

/**
 * Returns the position before the first pending event.
 * @param open events, each with the position before it.
 * @returns undefined if none is pending.
 */
export function lowestPending(open: ReadonlyMap<string, string>, done: ReadonlySet<string>): string | undefined {
  let first: string | undefined;
  for (const [id, before] of open) if (!done.has(id) && before < (first ?? LAST)) first = before;
  return first;
}

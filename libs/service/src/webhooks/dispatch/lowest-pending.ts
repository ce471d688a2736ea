export const NONE: ReadonlySet<string> = new Set();
const LAST = 'g';

/**
 * Returns the position before the first pending event; undefined if none is pending.
 * @param open events, each with the position before it.
 */
export function lowestPending(open: ReadonlyMap<string, string>, done: ReadonlySet<string>): string | undefined {
  let first: string | undefined;
  for (const [id, before] of open) if (!done.has(id) && before < (first ?? LAST)) first = before;
  return first;
}

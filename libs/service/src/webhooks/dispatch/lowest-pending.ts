export const NONE: ReadonlySet<string> = new Set();
/** Above all ids. */
const LAST = 'g';

/**
 * The place before the first event that is not done with.
 * @param open events, each with the place before it.
 * @returns undefined where all are done with.
 */
export function firstLeft(open: ReadonlyMap<string, string>, done: ReadonlySet<string>): string | undefined {
  let first: string | undefined;
  for (const [id, before] of open) if (!done.has(id) && before < (first ?? LAST)) first = before;
  return first;
}

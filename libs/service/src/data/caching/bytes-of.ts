/** What an object costs beside what it holds, roughly. */
const OVERHEAD = 48;
/** What is nested deeper is not looked at: nothing that is remembered is. */
const MAX_DEPTH = 5;

/**
 * About how much memory plain data takes: texts, numbers, and the arrays, sets, maps and objects that hold them.
 * @returns bytes; too many rather than too few.
 */
export function bytesOf(value: unknown, depth = 0): number {
  if (typeof value === 'string') return OVERHEAD + 2 * value.length;
  if (typeof value !== 'object' || value === null || depth >= MAX_DEPTH) return 8;
  const parts: Iterable<unknown> =
    value instanceof Set || value instanceof Map || Array.isArray(value) ? value : Object.values(value);
  let bytes = OVERHEAD;
  for (const part of parts) bytes += 8 + bytesOf(part, depth + 1);
  return bytes;
}

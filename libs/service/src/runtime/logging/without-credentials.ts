const REDACTED = '[redacted]';
const MAX_DEPTH = 4;

/**
 * Replaces the values of some headers, as `logger.error('…', request.headers)` passes them.
 * @param headers names in lower case.
 */
export function withoutCredentials(value: unknown, headers: ReadonlySet<string>, depth = MAX_DEPTH): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error) return value;
  if (depth === 0) return '[object]';
  if (Array.isArray(value)) return value.map((part) => withoutCredentials(part, headers, depth - 1));
  const copied = Object.entries(value).map(([name, part]) => [
    name,
    headers.has(name.toLowerCase()) ? REDACTED : withoutCredentials(part, headers, depth - 1),
  ]);
  return Object.fromEntries(copied);
}

/**
 * The kinds that a webhook asks for.
 * @param patterns kinds, all of a subject (`item.*`), or all (`*`).
 * @param kinds all that there are.
 * @returns undefined for all of them, also those that are not known yet.
 */
export function selectedKinds(patterns: readonly string[], kinds: readonly string[]): readonly string[] | undefined {
  if (patterns.includes('*')) return undefined;
  return kinds.filter((kind) => patterns.some((pattern) => matches(pattern, kind)));
}

/** Those of the patterns that stand for no event. @param kinds all that there are. */
export function unknownPatterns(patterns: readonly string[], kinds: readonly string[]): readonly string[] {
  return patterns.filter((pattern) => pattern !== '*' && !kinds.some((kind) => matches(pattern, kind)));
}

function matches(pattern: string, kind: string): boolean {
  return pattern === kind || pattern === `${kind.slice(0, kind.indexOf('.'))}.*`;
}

/**
 * @param patterns each selects one kind, all kinds of a subject (`item.*`), or all kinds (`*`).
 * @returns undefined for all kinds, including future ones.
 */
export function selectedKinds(patterns: readonly string[], kinds: readonly string[]): readonly string[] | undefined {
  if (patterns.includes('*')) return undefined;
  return kinds.filter((kind) => patterns.some((pattern) => matches(pattern, kind)));
}

export function unknownPatterns(patterns: readonly string[], kinds: readonly string[]): readonly string[] {
  return patterns.filter((pattern) => pattern !== '*' && !kinds.some((kind) => matches(pattern, kind)));
}

function matches(pattern: string, kind: string): boolean {
  return pattern === kind || pattern === `${kind.slice(0, kind.indexOf('.'))}.*`;
}

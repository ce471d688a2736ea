/** Quotes a name for SQL, so that keywords such as `order` are ordinary names. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

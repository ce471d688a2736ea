/** Formats the time for a name. */
export function timestamp(): string {
  return new Date().toISOString().replaceAll(/[-:.]/g, '').toLowerCase();
}

/** The time as part of a name. */
export function timestamp(): string {
  return new Date().toISOString().replaceAll(/[-:.]/g, '').toLowerCase();
}

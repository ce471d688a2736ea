/**
 * What a driver, or the network, calls an error: a code of SQLite, a SQLSTATE, an `ECONNREFUSED`; empty where it has no
 * code. Not by `instanceof Error`: a driver's may come from another realm.
 */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

/**
 * Returns the code of an error of a driver or of the network (SQLite, SQLSTATE, `ECONNREFUSED`), or an empty text. It
 * avoids `instanceof Error` because the error may come from another realm.
 */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

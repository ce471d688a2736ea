/**
 * Returns a code of SQLite, SQLSTATE or the network (`ECONNREFUSED`), or an empty text. An error of another realm is no
 * `instanceof Error`.
 */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

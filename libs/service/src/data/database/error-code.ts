/**
 * Returns a code of SQLite, SQLSTATE or the network (`ECONNREFUSED`), or an empty text. Errors of another realm fail
 * `instanceof Error`.
 */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

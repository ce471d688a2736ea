/**
 * Code of SQLite, SQLSTATE or the network (`ECONNREFUSED`), or an empty text. Avoids `instanceof Error`, because the
 * error may come from another realm.
 */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

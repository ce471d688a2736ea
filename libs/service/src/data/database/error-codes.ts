/**
 * Returns a code of SQLite, PostgreSQL (SQLSTATE) or the network (`ECONNREFUSED`), or ''. Uses no `instanceof`, because
 * errors may come from another realm.
 */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

const UNIQUE_VIOLATION: ReadonlySet<string> = new Set(['SQLITE_CONSTRAINT_UNIQUE', '23505']);
const LOCK_NOT_AVAILABLE = '55P03';
const FOREIGN_KEY_VIOLATION: ReadonlySet<string> = new Set(['SQLITE_CONSTRAINT_FOREIGNKEY', '23503']);

/** The write refers to a missing row, or deletes a row that another row refers to. */
export function isForeignKeyViolation(error: unknown): boolean {
  return FOREIGN_KEY_VIOLATION.has(codeOf(error));
}

export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === LOCK_NOT_AVAILABLE;
}

export function isUniqueViolation(error: unknown): boolean {
  return UNIQUE_VIOLATION.has(codeOf(error));
}

/** SQLite: `UNIQUE constraint failed: books.shelf, books.title`. */
const FAILED = /^UNIQUE constraint failed: (.*)$/;
/**
 * Captures the columns of PostgreSQL's `detail`, such as `Key (shelf, title)=(A, Emma) already exists.`, in any
 * language of the server.
 */
const KEY = /\(([^()]*)\)=\(/;

/** `columns` is empty for an error without column names. */
export function violatedIndex(error: unknown): { readonly table: string; readonly columns: readonly string[] } {
  const { message = '', table, detail = '' } = error as { message?: string; table?: string; detail?: string };
  if (table !== undefined) {
    const columns = KEY.exec(detail)?.[1]?.split(', ') ?? [];
    return { table, columns: columns.map((column) => column.replaceAll('"', '')) };
  }
  const names =
    FAILED.exec(message)?.[1]
      ?.split(', ')
      .map((name) => name.split('.')) ?? [];
  return { table: names[0]?.[0] ?? '', columns: names.map(([, column = '']) => column) };
}

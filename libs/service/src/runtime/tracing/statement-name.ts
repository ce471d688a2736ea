const MAX_TEXT = 2000;

/** A commit has its own span. */
const CONTROL = /^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/;
/** Writes first: a statement that writes is named after its target rather than its sources. */
const NAMES = [
  /\b(INSERT) INTO ([a-z_]+)/,
  /\b(UPDATE) ([a-z_]+)/,
  /\b(DELETE) FROM ([a-z_]+)/,
  /\b(SELECT)\b.*?\bFROM ([a-z_]+)/s,
];

/** Returns a name with few values, such as `SELECT items`; undefined for transaction control. */
export function statementName(sql: string): string | undefined {
  if (CONTROL.test(sql)) return undefined;
  const text = sql.slice(0, MAX_TEXT);
  for (const name of NAMES) {
    const [, operation, table] = name.exec(text) ?? [];
    if (operation !== undefined) return `${operation} ${String(table)}`;
  }
  return 'SQL';
}

export function statementText(sql: string): string {
  return sql.slice(0, MAX_TEXT).replaceAll(/\s+/g, ' ');
}

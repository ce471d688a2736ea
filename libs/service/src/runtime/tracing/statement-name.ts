/** Longer texts are cut in spans. */
const MAX_TEXT = 2000;

/** What begins and ends transactions; a commit has a span of its own. */
const CONTROL = /^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/;
/** What a statement writes says more of it than what it reads on the way. */
const NAMES = [
  /\b(INSERT) INTO ([a-z_]+)/,
  /\b(UPDATE) ([a-z_]+)/,
  /\b(DELETE) FROM ([a-z_]+)/,
  /\b(SELECT)\b.*?\bFROM ([a-z_]+)/s,
];

/** A name of few values, as `SELECT items`; undefined for the statements around a transaction. */
export function statementName(sql: string): string | undefined {
  if (CONTROL.test(sql)) return undefined;
  const text = sql.slice(0, MAX_TEXT);
  for (const name of NAMES) {
    const [, operation, table] = name.exec(text) ?? [];
    if (operation !== undefined) return `${operation} ${String(table)}`;
  }
  return 'SQL';
}

/** In one line; it has placeholders, and no value of anybody's. */
export function statementText(sql: string): string {
  return sql.slice(0, MAX_TEXT).replaceAll(/\s+/g, ' ');
}

import { MAX_TEXT_LENGTH, MAX_TEXTS, preparedTexts } from './prepared-texts.js';

/** Makes the value of what the server says. */
export type TypeParser = (text: string) => unknown;

/** What the rows of a statement consist of. */
export interface StatementColumns {
  readonly names: readonly string[];
  readonly parsers: readonly TypeParser[];
}

/** One with a name is prepared on the connection, and found there again. */
export interface PreparedStatement {
  readonly name?: string;
  readonly text: string;
  /** Whether the connection has it under its name. */
  isParsed?: boolean;
  /** Known when it has run on the connection. */
  columns?: StatementColumns;
}

/**
 * The statements that one connection of PostgreSQL has prepared. The server keeps all of them until the connection ends:
 * it cannot be told through a pooler which of them are no longer wanted. So the connection is worn out some day.
 */
export class ConnectionStatements {
  private prepared = 0;
  private evicted = 0;
  private readonly cache = preparedTexts<PreparedStatement>(() => (this.evicted += 1));

  get(sql: string): PreparedStatement {
    const known = this.cache.get(sql);
    if (known !== undefined) return known;
    if (sql.length > MAX_TEXT_LENGTH) return { text: sql };
    const statement = { name: `s${String(++this.prepared)}`, text: sql };
    this.cache.set(sql, statement);
    return statement;
  }

  /** Whether the server holds as many statements for nothing as it may hold for use: a new connection is due. */
  get isWornOut(): boolean {
    return this.evicted >= MAX_TEXTS;
  }
}

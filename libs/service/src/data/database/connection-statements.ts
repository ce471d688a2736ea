import { MAX_TEXT_LENGTH, MAX_TEXTS, preparedTexts } from './prepared-texts.js';

export type TypeParser = (text: string) => unknown;

export interface StatementColumns {
  readonly names: readonly string[];
  readonly parsers: readonly TypeParser[];
}

export interface PreparedStatement {
  readonly name?: string;
  readonly text: string;
  isParsed?: boolean;
  columns?: StatementColumns;
}

/**
 * The server retains the prepared statements of a connection until it ends, even behind a pooler. So the connection is
 * replaced after many statements.
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

  get isWornOut(): boolean {
    return this.evicted >= MAX_TEXTS;
  }
}

import { LRUCache } from 'lru-cache';

export const MAX_TEXTS = 500;
/** Maximum total length. The prepared statements take about ten times the memory. */
const MAX_CHARACTERS = 1_048_576;
/** Longer texts, such as a filter with thousands of values, are not cached. */
const MAX_TEXT_LENGTH = 16_384;

export type PreparedTexts<Prepared extends object> = LRUCache<string, Prepared>;

export function preparedTexts<Prepared extends object>(onEvicted?: () => void): PreparedTexts<Prepared> {
  return new LRUCache<string, Prepared>({
    max: MAX_TEXTS,
    maxSize: MAX_CHARACTERS,
    maxEntrySize: MAX_TEXT_LENGTH,
    sizeCalculation: (_prepared, text) => Math.max(text.length, 1),
    ...(onEvicted && { dispose: onEvicted }),
  });
}

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
 * The server retains prepared statements until the connection ends, even behind a pooler. So a connection is replaced
 * after many evicted statements.
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

import { LRUCache } from 'lru-cache';

/** Statements kept prepared at most; they are the hot ones among many combinations of sort and filter. */
export const MAX_STATEMENTS = 500;
/** Characters of all texts kept together. What was prepared takes some ten times that. */
const MAX_CHARACTERS = 1_048_576;
/** A longer text, such as a filter by thousands of values, is prepared each time. */
const MAX_LENGTH = 16_384;

/** What was prepared for a text of SQL, so that hot statements are prepared once. Those used longest ago go first. */
export class StatementCache<Prepared extends object> {
  private readonly kept: LRUCache<string, Prepared>;

  /**
   * @param prepare `isKept` is false for a text that is too long to be kept.
   * @param onEvicted hears of what is no longer kept.
   */
  constructor(
    private readonly prepare: (sql: string, isKept: boolean) => Prepared,
    onEvicted?: () => void,
  ) {
    this.kept = new LRUCache<string, Prepared>({
      max: MAX_STATEMENTS,
      maxSize: MAX_CHARACTERS,
      sizeCalculation: (_prepared, sql) => sql.length + 1,
      ...(onEvicted && { dispose: onEvicted }),
    });
  }

  get(sql: string): Prepared {
    const known = this.kept.get(sql);
    if (known !== undefined) return known;
    const isKept = sql.length <= MAX_LENGTH;
    const made = this.prepare(sql, isKept);
    if (isKept) this.kept.set(sql, made);
    return made;
  }
}

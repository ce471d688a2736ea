/** Distinct statements kept prepared: beyond that (many sort and filter combinations) texts are prepared each time. */
const MAX_STATEMENTS = 500;

/** What was prepared for a text of SQL, so that hot statements are prepared once. */
export class StatementCache<Prepared> {
  private readonly prepared = new Map<string, Prepared>();

  /** @param prepare gets a number that no other text has, or undefined for a text that is not kept. */
  constructor(private readonly prepare: (sql: string, ordinal: number | undefined) => Prepared) {}

  get(sql: string): Prepared {
    const known = this.prepared.get(sql);
    if (known !== undefined) return known;
    if (this.prepared.size >= MAX_STATEMENTS) return this.prepare(sql, undefined);
    const made = this.prepare(sql, this.prepared.size);
    this.prepared.set(sql, made);
    return made;
  }
}

import type { KeptWork, SqlValue, WriteGroup } from './database.js';
import type { SqliteConnection } from './sqlite-connection.js';

/** The tables of the store that are kept; all others are written at once. */
const KEPT_TABLES = /\bcollection_(?:lanes|counts)\b/;

/** Transactions of SQLite that commit together, and what they keep in memory until then. ADR 52 */
export class SqliteWriteGroup implements WriteGroup {
  private readonly works = new Map<new (group: WriteGroup) => KeptWork, KeptWork>();
  private changes = 0;

  constructor(private readonly connection: SqliteConnection) {}

  /** Attempts to write or to keep something, for who asks whether there is anything to undo. */
  get attempts(): number {
    return this.changes;
  }

  /** Runs a statement at once; what is kept is not looked at. */
  run<Row>(sql: string, params?: readonly SqlValue[]): Row[] {
    return this.connection.run<Row>(sql, params, () => (this.changes += 1));
  }

  /** The same, for a statement that may look at what is kept. */
  runAny<Row>(sql: string, params?: readonly SqlValue[]): Row[] {
    if (this.works.size > 0 && KEPT_TABLES.test(sql)) this.settle();
    return this.run(sql, params);
  }

  /** What is kept of a kind, made where there is none. */
  kept<Work extends KeptWork>(Kind: new (group: WriteGroup) => Work): Work {
    // Whoever keeps something has something to undo.
    this.changes += 1;
    const known = this.works.get(Kind) as Work | undefined;
    if (known !== undefined) return known;
    const made = new Kind(this);
    this.works.set(Kind, made);
    return made;
  }

  /** Writes what is kept; it is read anew where it is wanted again. */
  settle(): void {
    const works = [...this.works.values()];
    this.works.clear();
    for (const work of works) work.write();
  }

  /** What is kept was undone. */
  forget(): void {
    this.works.clear();
  }
}

import { Sqlite } from '../../data/sqlite/sqlite.js';

/** Unique values, each with its first line number. They are stored on disk, because their number is unbounded. */
export class SeenKeys {
  private readonly database = new Sqlite('');
  private readonly add;
  private readonly find;

  constructor() {
    this.database.exec('CREATE TABLE seen (key text NOT NULL PRIMARY KEY, line bigint NOT NULL) WITHOUT ROWID; BEGIN');
    this.add = this.database.prepare('INSERT INTO seen VALUES (?, ?) ON CONFLICT (key) DO NOTHING');
    this.find = this.database.prepare<[string], { line: number }>('SELECT line FROM seen WHERE key = ?');
  }

  lineBefore(field: string, value: string, line: number): number | undefined {
    const key = `${field} ${value}`;
    if (this.add.run(key, line).changes === 1) return undefined;
    const before = this.find.get(key)?.line;
    return before === line ? undefined : before;
  }

  lineOf(field: string, value: string): number | undefined {
    return this.find.get(`${field} ${value}`)?.line;
  }

  close(): void {
    this.database.close();
  }
}

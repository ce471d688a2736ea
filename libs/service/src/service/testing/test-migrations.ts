import type { DataSource } from 'typeorm';

import { migrationNames } from '../../data/database/tables-of.js';
import { databaseAt } from '../../data/opening/database-url.js';
import { migratePostgres, postgresSource } from '../../data/postgres/postgres-source.js';
import { migrateSqlite, sqliteWriter } from '../../data/sqlite/sqlite-source.js';
import type { Composition } from '../composition/composition.js';
import { schemaOf } from '../schema.js';

/**
 * The database of a service that is not running, whose migrations a test takes back and forward.
 * @example const migrations = await TestMigrations.open(composition, databaseUrl);
 * await migrations.undo('IndexAllOrders1763000000040');
 * await migrations.redo();
 */
export class TestMigrations {
  private constructor(
    private readonly source: DataSource,
    /** Of every migration of the service, in the order in which they run. */
    readonly names: readonly string[],
    /** Runs what is missing, as a start of the service does. */
    readonly redo: () => Promise<void>,
  ) {}

  /** @param url as `DATABASE_URL` has it. */
  static async open(composition: Composition, url: string): Promise<TestMigrations> {
    const schema = schemaOf(composition);
    const config = databaseAt(url);
    const source = await (config.dialect === 'postgres'
      ? postgresSource(config.url, schema)
      : sqliteWriter(config.file, schema));
    return new TestMigrations(source, migrationNames(schema), async () => {
      await (config.dialect === 'postgres' ? migratePostgres(config.url, schema) : migrateSqlite(source));
    });
  }

  query<Row>(sql: string): Promise<Row[]> {
    return this.source.query<Row[]>(sql);
  }

  /** Undoes the newest migrations, down to this one, which is undone, too. */
  async undo(name: string): Promise<void> {
    const from = this.names.indexOf(name);
    if (from < 0) throw new Error(`There is no migration ${name}.`);
    for (let left = this.names.length; left > from; left -= 1) {
      await this.source.undoLastMigration({ transaction: 'each' });
    }
  }

  close(): Promise<void> {
    return this.source.destroy();
  }
}

import type { DataSource } from 'typeorm';

import { migrationNames } from '../../data/database/tables-of.js';
import { databaseAt } from '../../data/opening/database-url.js';
import { migratePostgres, postgresSource } from '../../data/postgres/postgres-source.js';
import { migrateSqlite, sqliteWriter } from '../../data/sqlite/sqlite-source.js';
import { compositionOf } from '../process/composition-of.js';
import { schemaOf } from '../schema.js';

/**
 * Reverts and repeats the migrations of a service that is not running.
 * @example const migrations = await TestMigrations.open(AppModule, databaseUrl);
 * await migrations.undo('IndexAllOrders1763000000040');
 * await migrations.redo();
 */
export class TestMigrations {
  private constructor(
    private readonly source: DataSource,
    /** Names of all migrations of the service, in execution order. */
    readonly names: readonly string[],
    /** Runs the missing migrations, as a start of the service does. */
    readonly redo: () => Promise<void>,
  ) {}

  /** @param url value of `DATABASE_URL`. */
  static async open(service: Parameters<typeof compositionOf>[0], url: string): Promise<TestMigrations> {
    const schema = schemaOf((await compositionOf(service)).composition);
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

  /** Reverts the newest migrations, down to and including this one. */
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

import { connectionOf } from '../sqlite/typeorm-connection.js';
import { postgresSource } from '../postgres/postgres-source.js';
import { sqliteWriter } from '../sqlite/sqlite-source.js';
import { storeMigrations } from './store-migrations.js';
import type { DataSource } from 'typeorm';

import { describeOnBothDatabases } from '../../service/testing/fixture-database.testing.js';
import { openFixtureDatabase } from '../../service/testing/fixture-database.testing.js';
import { schema } from '../../service/testing/fixture.testing.js';

/** As created by migrations of items and keys, before the store had one of its own. */
const FORMER = [
  `CREATE TABLE collection_lanes (collection text NOT NULL, lane smallint NOT NULL, seq bigint NOT NULL,
    n bigint NOT NULL, floor bigint NOT NULL, checkpoint bigint NOT NULL, checkpoint_at bigint NOT NULL,
    PRIMARY KEY (collection, lane))`,
  `CREATE TABLE collection_counts (collection text NOT NULL, grp text NOT NULL, lane smallint NOT NULL,
    n bigint NOT NULL, PRIMARY KEY (collection, grp, lane))`,
  'CREATE TABLE settings (name text NOT NULL PRIMARY KEY, value text NOT NULL)',
  `CREATE TABLE idempotency_records (credential_id text NOT NULL, route text NOT NULL, key text NOT NULL,
    fingerprint text NOT NULL, location text NOT NULL, etag text NOT NULL, body text, created_at bigint NOT NULL,
    PRIMARY KEY (credential_id, route, key))`,
  'CREATE INDEX idempotency_records_by_created_at ON idempotency_records (created_at)',
];
const NAMES = storeMigrations.map(({ name }) => name);

describeOnBothDatabases('A database that is older than the migration of the store tables', (under) => {
  let source: DataSource;

  const columns = async (): Promise<unknown[]> => {
    const tables = ['collection_lanes', 'collection_counts', 'settings', 'idempotency_records'];
    const sql =
      under.config.dialect === 'postgres'
        ? `SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns
           WHERE table_name = ANY ($1) ORDER BY table_name, ordinal_position`
        : `SELECT m.name AS t, c.name, c.type, c."notnull", c.pk FROM sqlite_master m, pragma_table_info(m.name) c
           WHERE m.name IN (SELECT value FROM json_each($1)) ORDER BY m.name, c.cid`;
    const asked = under.config.dialect === 'postgres' ? [tables as never] : [JSON.stringify(tables)];
    return under.database.query(sql, asked);
  };
  const run = async (statement: string): Promise<void> => {
    if (under.config.dialect === 'sqlite') connectionOf(source).exec(statement);
    else await source.query(statement);
  };

  it('migrates and retains its clocks, counts, settings and records', async () => {
    const { config } = under;
    const asMadeNow = await columns();
    source = await (config.dialect === 'postgres'
      ? postgresSource(config.url, schema)
      : sqliteWriter(config.file, schema));
    try {
      const lanes = await under.database.query<{ collection: string; lane: number }>(
        'SELECT collection, lane FROM collection_lanes ORDER BY collection, lane',
      );
      for (const table of ['collection_lanes', 'collection_counts', 'settings', 'idempotency_records', 'epoch_ends']) {
        await run(`DROP TABLE ${table}`);
      }
      for (const statement of FORMER) await run(statement);
      for (const { collection, lane } of lanes) {
        await run(`INSERT INTO collection_lanes VALUES ('${collection}', ${String(lane)}, 7, 0, 0, 0, 0)`);
      }
      await run("INSERT INTO settings VALUES ('kept', 'as it was')");
      for (const name of NAMES) await run(`DELETE FROM migrations WHERE name = '${name}'`);

      const opened = await openFixtureDatabase(config);
      await opened.close();

      expect(await columns()).toEqual(asMadeNow);
      expect(await under.database.query("SELECT value FROM settings WHERE name = 'kept'")).toEqual([
        { value: 'as it was' },
      ]);
      expect(await under.database.query('SELECT DISTINCT seq FROM collection_lanes')).toEqual([{ seq: 7 }]);
      const last = await source.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY id DESC');
      expect(
        last
          .map(({ name }) => name)
          .slice(0, NAMES.length)
          .reverse(),
      ).toEqual(NAMES);
    } finally {
      await source.destroy();
    }
  });

  it('reverts without dropping tables that collections still need', async () => {
    const { config } = under;
    source = await (config.dialect === 'postgres'
      ? postgresSource(config.url, schema)
      : sqliteWriter(config.file, schema));
    try {
      // The newest migrations are reverted first.
      for (let left = schema.migrations.length + NAMES.length; left > 0; left -= 1) {
        await source.undoLastMigration({ transaction: 'each' });
      }
      expect(await source.query('SELECT count(*) AS n FROM migrations')).toEqual([{ n: 0 }]);
    } finally {
      await source.destroy();
    }
  });
});

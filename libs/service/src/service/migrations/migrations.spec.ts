import { postgresSource } from '../../data/postgres/postgres-source.js';
import { sqliteWriter } from '../../data/sqlite/sqlite-source.js';
import { storeMigrations } from '../../data/schema/store-migrations.js';
import type { DataSource } from 'typeorm';

import { describeOnBothDatabases } from '../testing/fixture-database.testing.js';
import { schema } from '../testing/fixture.testing.js';

const SQLITE = `SELECT type || ' ' || name || ' ' || coalesce(sql, '') AS line FROM sqlite_master
  WHERE name NOT LIKE 'sqlite_%' AND name <> 'migrations' ORDER BY 1`;
const POSTGRES = `SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable AS line
  FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'migrations'
  UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename <> 'migrations'
  UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT 'FUNCTION ' || proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1`;

describeOnBothDatabases('The migrations', (under) => {
  let source: DataSource;
  beforeAll(async () => {
    const { config } = under;
    source = await (config.dialect === 'postgres'
      ? postgresSource(config.url, schema)
      : sqliteWriter(config.file, schema));
  });
  afterAll(() => source.destroy());

  async function tables(): Promise<string[]> {
    const sql = under.database.dialect === 'postgres' ? POSTGRES : SQLITE;
    return (await source.query<{ line: string }[]>(sql)).map(({ line }) => line);
  }

  it('guard the rows of every collection against changes without a stamp', async () => {
    const guarded =
      under.database.dialect === 'postgres'
        ? `SELECT tgrelid::regclass::text AS line FROM pg_trigger WHERE tgname = tgrelid::regclass::text || '_stamped'`
        : `SELECT tbl_name AS line FROM sqlite_master WHERE type = 'trigger' AND name = tbl_name || '_stamped'`;
    const collections = await source.query<{ line: string }[]>(
      'SELECT DISTINCT collection AS line FROM collection_lanes ORDER BY 1',
    );
    expect(collections).toContainEqual({ line: 'items' });
    expect(await source.query(`${guarded} ORDER BY 1`)).toEqual(collections);
  });

  it('go back to nothing, one by one, and forward to the same schema again', async () => {
    const whole = await tables();
    expect(whole.length).toBeGreaterThan(20);
    const { length } = [...storeMigrations, ...schema.migrations];
    for (let left = length; left > 0; left -= 1) await source.undoLastMigration({ transaction: 'each' });
    expect(await tables()).toEqual([]);
    await source.runMigrations({ transaction: 'each' });
    expect(await tables()).toEqual(whole);
  });
});

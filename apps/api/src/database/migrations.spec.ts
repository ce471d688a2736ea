import type { DataSource } from 'typeorm';

import { migrations } from '../migrations/index.js';
import { describeOnBothDatabases } from './database.testing.js';
import { postgresSource } from './postgres-source.js';
import { sqliteWriter } from './sqlite-source.js';

const SQLITE = `SELECT type || ' ' || name || ' ' || coalesce(sql, '') AS line FROM sqlite_master
  WHERE name NOT LIKE 'sqlite_%' AND name <> 'migrations' ORDER BY 1`;
const POSTGRES = `SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable AS line
  FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'migrations'
  UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename <> 'migrations' ORDER BY 1`;

describeOnBothDatabases('The migrations', (under) => {
  let source: DataSource;
  beforeAll(async () => {
    const { config } = under;
    source = await (config.dialect === 'postgres' ? postgresSource(config.url) : sqliteWriter(config.file));
  });
  afterAll(() => source.destroy());

  async function schema(): Promise<string[]> {
    const sql = under.database.dialect === 'postgres' ? POSTGRES : SQLITE;
    return (await source.query<{ line: string }[]>(sql)).map(({ line }) => line);
  }

  it('go back to nothing, one by one, and forward to the same schema again', async () => {
    const whole = await schema();
    expect(whole.length).toBeGreaterThan(20);
    for (let left = migrations.length; left > 0; left -= 1) await source.undoLastMigration({ transaction: 'each' });
    expect(await schema()).toEqual([]);
    await source.runMigrations({ transaction: 'each' });
    expect(await schema()).toEqual(whole);
  });
});

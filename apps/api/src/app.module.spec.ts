import { TestMigrations } from '@items/service/testing';
import { onBothDatabases, type TestDatabaseConfig } from '@items/testing';

import { AppModule } from './app.module.js';
import { items } from './items/item.collection.js';
import { orders } from './orders/order.collection.js';
import { transitions } from './orders/transition.collection.js';

const COLLECTIONS = [items, orders, transitions];
const COLUMNS = {
  sqlite: (table: string) => `SELECT name, "notnull" = 0 AS nullable FROM pragma_table_info('${table}')`,
  postgres: (table: string) => `SELECT column_name AS name, is_nullable = 'YES' AS nullable
    FROM information_schema.columns WHERE table_schema = 'public' AND table_name = '${table}'`,
};
const SCHEMA = {
  sqlite: `SELECT type || ' ' || name || ' ' || coalesce(sql, '') AS line FROM sqlite_master
    WHERE name NOT LIKE 'sqlite_%' AND name <> 'migrations' ORDER BY 1`,
  postgres: `SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable AS line
    FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'migrations'
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename <> 'migrations'
    UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT 'FUNCTION ' || proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1`,
};

async function open(config: TestDatabaseConfig): Promise<TestMigrations> {
  const url = config.dialect === 'postgres' ? config.url : `sqlite:${config.file}`;
  const migrations = await TestMigrations.open(AppModule, url);
  await migrations.redo();
  return migrations;
}

onBothDatabases('The migrations of this service', open, (under) => {
  const lines = (columns: readonly { readonly name: string; readonly nullable: unknown }[]): string[] =>
    columns.map(({ name, nullable }) => `${name}${nullable === true || nullable === 1 ? '?' : ''}`).sort();
  const schema = async (): Promise<string[]> =>
    (await under.database.query<{ line: string }>(SCHEMA[under.config.dialect])).map(({ line }) => line);

  it.each(COLLECTIONS)('make the columns that the definition of $name has', async ({ name, columns }) => {
    const table = await under.database.query<{ name: string; nullable: unknown }>(COLUMNS[under.config.dialect](name));
    expect(lines(table)).toEqual(lines(columns));
  });

  it('go back to no tables, one by one, and forward to the same schema', async () => {
    const whole = await schema();
    expect(whole.filter((line) => /\borders\b/.test(line))).not.toEqual([]);
    await under.database.undo(under.database.names[0] ?? '');
    expect(await schema()).toEqual([]);
    await under.database.redo();
    expect(await schema()).toEqual(whole);
  });
});

it.each(COLLECTIONS)('a standby may answer reads of $name, which grant no access', ({ onlyFromPrimary }) => {
  expect(onlyFromPrimary).not.toBe(true);
});

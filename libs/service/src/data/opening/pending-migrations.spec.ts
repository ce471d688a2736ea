import { postgresUnderTest, provideDatabase, type DatabaseName, type TestDatabase } from '@items/testing';

import type { DatabaseConfig } from '../database/database-options.js';
import { migrationNames } from '../database/migrations.js';
import { NO_LOG } from '../outages/store-log.js';
import { EMPTY_SCHEMA } from '../testing/store-database.testing.js';
import { databaseAt } from '../testing/database-url.testing.js';
import { migrateDatabase, openDatabase } from './open-database.js';
import { PendingMigrationsError, pendingMigrations } from './pending-migrations.js';
import { whenMigrated } from './wait-for-database.js';

const databases: readonly DatabaseName[] = postgresUnderTest() === undefined ? ['sqlite'] : ['sqlite', 'postgres'];

class Later1999999999999 {
  async up(): Promise<void> {}
}
const SCHEMA = { migrations: [Later1999999999999] };

describe.each(databases)('A start with MIGRATE=off on %s', (name) => {
  const all = migrationNames(SCHEMA);
  let provided: TestDatabase;
  let config: DatabaseConfig;

  beforeEach(async () => {
    provided = await provideDatabase(name);
    config = { ...databaseAt(provided.url), isMigratedElsewhere: true };
  });
  afterEach(() => provided.drop());

  it('refuses a database without tables, and creates none', async () => {
    const opening = openDatabase(config, SCHEMA);
    await expect(opening).rejects.toThrow(PendingMigrationsError);
    await expect(opening).rejects.toThrow(
      `pending: ${String(all[0])} and ${String(all.length - 1)} more; run "npm run admin -- migrate"`,
    );
    expect(await pendingMigrations(config, SCHEMA)).toEqual(all);
  });

  it('names the migrations that a database of an earlier version lacks', async () => {
    await migrateDatabase(config, { ...SCHEMA, only: all.slice(0, -1) }, NO_LOG);
    expect(await pendingMigrations(config, SCHEMA)).toEqual(all.slice(-1));
    await expect(openDatabase(config, SCHEMA)).rejects.toThrow(`pending: ${String(all.at(-1))}; run`);
  });

  it('waits until another process has migrated, begins an epoch, and logs once that it waits', async () => {
    const lines: string[] = [];
    const log = {
      ...NO_LOG,
      info: (_: object, message: string) => void lines.push(message),
      warn: (_: object, message: string) => void lines.push(message),
    };
    let attempts = 0;
    const open = async (): Promise<Awaited<ReturnType<typeof openDatabase>>> => {
      attempts += 1;
      if (attempts === 3) await migrateDatabase(config, SCHEMA, NO_LOG);
      return openDatabase(config, SCHEMA, log);
    };
    const database = await whenMigrated(open, log, 1);
    expect(attempts).toBe(3);
    expect(lines).toEqual([
      'The database has pending migrations; the start waits, live and not ready',
      'The database is migrated: the start continues',
    ]);
    const epoch = "SELECT value FROM settings WHERE name = 'epoch'";
    const [first] = await database.query(epoch);
    const reopened = await openDatabase(config, SCHEMA);
    const [second] = await reopened.query(epoch);
    expect(second).not.toEqual(first);
    await database.close();
    await reopened.close();
  });
});

describe.each(databases)('The log of migrations on %s', (name) => {
  it('names each with its duration, and nothing the next time', async () => {
    const provided = await provideDatabase(name);
    const lines: object[] = [];
    const log = { ...NO_LOG, info: (fields: object) => void lines.push(fields) };
    await (await openDatabase(databaseAt(provided.url), EMPTY_SCHEMA, log)).close();
    const durations = expect.any(Number) as number;
    expect(lines).toEqual(migrationNames(EMPTY_SCHEMA).map((migration) => ({ migration, duration_ms: durations })));
    lines.length = 0;
    await (await openDatabase(databaseAt(provided.url), EMPTY_SCHEMA, log)).close();
    await provided.drop();
    expect(lines).toEqual([]);
  });
});

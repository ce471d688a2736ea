import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { eventMigrations } from '../../feed/event-migrations.js';
import { EventPurge } from '../../feed/event-purge.js';
import { databaseAt } from '../../data/testing/database-url.testing.js';
import { openDatabase } from '../../data/opening/open-database.js';
import type { Database } from '../../data/database/database.js';
import { askPostgres, createDatabase, postgresUnderTest } from '@items/testing';

import { operations } from '../operations.js';
import { runOperation } from '../run-program.js';
import { operationContext, SCHEMA } from '../service.testing.js';

const WITH_EVENTS = { migrations: [...eventMigrations, ...SCHEMA.migrations] };
const ROWS = 'SELECT id, type FROM events ORDER BY id';
const REST = 'SELECT id FROM events_rest';

(postgresUnderTest() === undefined ? describe.skip : describe)('A table in partitions', () => {
  const folder = mkdtempSync(join(tmpdir(), 'items-partitions-'));
  const file = join(folder, 'items.backup');
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is backed up with all rows, and restored over a table with other partitions', async () => {
    const { url, drop } = await createDatabase();
    const during = async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
      const database = await openDatabase(databaseAt(url), WITH_EVENTS);
      try {
        const warn = jest.fn();
        await new EventPurge(database, { warn }, Infinity).prepare();
        expect(warn).not.toHaveBeenCalled();
        return await work(database);
      } finally {
        await database.close();
      }
    };
    const operate = (name: string): Promise<string> =>
      runOperation(operations, [name, file], () => operationContext(databaseAt(url), WITH_EVENTS));
    const add = (database: Database, type: string): Promise<unknown> =>
      database.query(
        `INSERT INTO events (id, type, api_version, data) VALUES (
         (lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0') || '7000' || '8000000000000000')::uuid, $1, '', '')`,
        [type],
      );

    const before = await during(async (database) => {
      await add(database, 'note.created');
      return database.query(ROWS);
    });
    await operate('backup');
    await during((database) => add(database, 'note.deleted'));
    await operate('restore');
    // Autovacuum analyses only partitions, so the restore must analyse the table.
    const statistics = await askPostgres(url, "SELECT 1 FROM pg_stats WHERE tablename = 'events' AND inherited");
    expect(statistics).not.toEqual([]);
    const found = await during(async (database) => {
      const restored = await database.query(ROWS);
      // The default partition stays empty: PostgreSQL scans it whenever a partition is added.
      const rest = await database.query(REST);
      await add(database, 'note.updated');
      return { restored, rest, now: await database.query(ROWS) };
    });
    expect(before).toHaveLength(1);
    expect(found).toEqual({
      restored: before,
      rest: [],
      now: [...before, expect.objectContaining({ type: 'note.updated' })],
    });
    await drop();
  });
});

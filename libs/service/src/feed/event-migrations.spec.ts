import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openDatabase } from '../data/opening/open-database.js';
import type { Database } from '../data/database/database.js';
import type { DatabaseSchema } from '../data/database/database-options.js';
import { sqliteWriter } from '../data/sqlite/sqlite-source.js';

import { keyOf } from './event-key.js';
import { CreateEvents1000000000010, PlaceEvents1000000000011 } from './event-migrations.js';

const EVENTS = [
  '018f3c2a-9b1d-71e7-8abc-0123456789ab',
  '019aa7e5-00ff-73e7-8000-ffffffffffff',
  '019aa7e5-00ff-73e7-b000-000000000000',
];

describe('The migration of events on SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'items-events-'));
  const file = join(folder, 'events.sqlite');
  const insert = (id: string, type: string): string =>
    `INSERT INTO events (id, type, api_version, data) VALUES ('${id}', '${type}', '', '{}')`;

  afterAll(() => rmSync(folder, { recursive: true }));

  async function withDatabase<T>(
    migrations: DatabaseSchema['migrations'],
    work: (database: Database) => Promise<T>,
  ): Promise<T> {
    const database = await openDatabase({ dialect: 'sqlite', file }, { migrations });
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  }

  it('adds keys in the order of the ids, and reverts', async () => {
    await withDatabase([CreateEvents1000000000010], (database) =>
      database.transaction(async (tx) => {
        for (const id of EVENTS) await tx.query(insert(id, id.charAt(19) === 'b' ? 'gap' : 'book.created'));
      }),
    );
    const both = [CreateEvents1000000000010, PlaceEvents1000000000011];
    const placed = await withDatabase(both, (database) =>
      database.query('SELECT place, id FROM events ORDER BY place'),
    );
    expect(placed).toEqual(EVENTS.map((id) => ({ place: keyOf('sqlite', id), id })));

    const source = await sqliteWriter(file, { migrations: both });
    await source.undoLastMigration({ transaction: 'each' });
    await source.destroy();
    const before = await withDatabase([CreateEvents1000000000010], (database) =>
      database.query("SELECT id FROM events WHERE type <> 'gap' ORDER BY id"),
    );
    expect(before).toEqual(EVENTS.slice(0, 2).map((id) => ({ id })));
  });
});

import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { eventMigrations } from '../../feed/event-migrations.js';
import { EventPurge } from '../../feed/event-purge.js';
import type { Database } from '../../data/database/database.js';
import { databaseAt } from '../../data/testing/database-url.testing.js';
import { openDatabase } from '../../data/opening/open-database.js';
import { Sqlite } from '../../data/sqlite/sqlite.js';
import { createDatabase, databaseRows, postgresUnderTest } from '@items/testing';

import { startOperation } from '../operation-process.testing.js';
import { operations } from '../operations.js';
import { runOperation } from '../run-program.js';
import { addManyNotes, addNotes, operationContext, SCHEMA } from '../service.testing.js';

const MANY = 40_000;
const WITH_EVENTS = { migrations: [...eventMigrations, ...SCHEMA.migrations] };
const event = (micros: number, tail: string): string => {
  const ms = Math.floor(micros / 1000)
    .toString(16)
    .padStart(12, '0');
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7${(micros % 1000).toString(16).padStart(3, '0')}-8000-${tail.padStart(12, '0')}`;
};

(postgresUnderTest() === undefined ? describe.skip : describe)('copy --to SQLite', () => {
  let folder: string;
  let file: string;
  let source: { readonly url: string; drop(): Promise<void> };
  const printed: string[] = [];

  const copy = (schema = SCHEMA): Promise<string> =>
    runOperation(operations, ['copy', '--to', `sqlite:${file}`], () =>
      operationContext(databaseAt(source.url), schema, { print: (line) => void printed.push(line) }),
    );
  const fillSource = async (work: (database: Database) => Promise<void>, schema = SCHEMA): Promise<void> => {
    const database = await openDatabase(databaseAt(source.url), schema);
    await work(database);
    await database.close();
  };
  /**
   * Returns the rows of a collection in a comparable form: those of PostgreSQL are converted to the single lane of
   * SQLite.
   */
  const rowsOf = async (url: string, ...tables: readonly string[]): Promise<string[]> =>
    (await databaseRows(url))
      .filter((line) => tables.some((table) => line.startsWith(`${table} `)))
      .map((line) => {
        const { lane, ...row } = JSON.parse(line.slice(line.indexOf(' '))) as Record<string, unknown>;
        delete row['number'];
        return JSON.stringify([line.split(' ')[0], lane !== undefined, Object.entries(row).sort()]);
      })
      .sort();
  /** Number of bytes that a copy has written so far to its file, which only its owner may read. */
  const written = (): number =>
    ['', '-wal'].reduce(
      (sum, end) => sum + (statSync(`${file}.copying${end}`, { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
  const copied = (): number => {
    const partial = new Sqlite(`${file}.copying`, { readonly: true });
    try {
      return partial.prepare<[], { n: number }>('SELECT count(*) AS n FROM notes').get()?.n ?? 0;
    } finally {
      partial.close();
    }
  };
  /** Kills a copy when it has written this many more bytes. @returns the number of copied notes. */
  const kill = async (bytes: number): Promise<number> => {
    const enough = written() + bytes;
    const work = { database: databaseAt(source.url), name: 'copy', args: ['--to', `sqlite:${file}`] };
    const killed = startOperation(work);
    const deadlineMs = performance.now() + 20_000;
    while (written() < enough && performance.now() < deadlineMs) await sleep(1);
    killed.kill();
    await killed.ended;
    expect(existsSync(file)).toBe(false);
    return copied();
  };

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'items-copy-down-'));
    file = join(folder, 'items.sqlite');
    source = await createDatabase();
    printed.length = 0;
  });
  afterEach(async () => {
    await source.drop();
    rmSync(folder, { recursive: true });
  });

  it('copies every row, in one lane, while a service writes; only its owner can read it', async () => {
    await fillSource(async (database) => {
      await addNotes(database, 1300);
      await database.transaction(async (tx) => {
        await tx.query('UPDATE notes SET lane = 7, seq = seq + 5 WHERE created_at % 3 = 0');
        await tx.query(
          "UPDATE collection_lanes SET n = 300, seq = 1900000000000000 WHERE collection = 'notes' AND lane = 7",
        );
        await tx.query("UPDATE collection_lanes SET n = n - 300 WHERE collection = 'notes' AND lane = 0");
        await tx.query(`INSERT INTO collection_counts (collection, grp, lane, n) VALUES
          ('notes', 'a', 0, 5), ('notes', 'a', 7, -2), ('notes', 'b', 3, 0)`);
        await tx.query("INSERT INTO settings (name, value) VALUES ('secret', 'kept'), ('timeline', 'not kept')");
        await tx.query(`INSERT INTO idempotency_records (credential_id, route, key, fingerprint, location, etag, created_at)
          VALUES ('c', '/notes', 'k', 'f', '/notes/1', '"abc-7-1f2e3"', 5),
            ('c', '/notes', 'of an earlier version', 'f', '/notes/2', '"abc-7"', 5)`);
        await tx.query("INSERT INTO lines VALUES ('b'), ('a'), ('a')");
      });
    });
    const running = await openDatabase(databaseAt(source.url), SCHEMA);
    const tables = ['notes', 'lines', 'places'];
    const before = await rowsOf(source.url, ...tables);
    expect(await copy()).toMatch(/^Copied, and compared row by row: \d+ rows in \d+ tables\. /);
    await running.close();
    expect(await rowsOf(`sqlite:${file}`, ...tables)).toEqual(before);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.copying`)).toBe(false);

    const database = await openDatabase(databaseAt(`sqlite:${file}`), SCHEMA);
    const clocks = 'SELECT lane, seq, floor, n FROM collection_lanes';
    expect(await database.query(clocks)).toEqual([{ lane: 0, seq: 1.9e15, floor: 1.9e15, n: 1300 }]);
    expect(await database.query('SELECT DISTINCT lane FROM notes')).toEqual([{ lane: 0 }]);
    expect(await database.query('SELECT grp, lane, n FROM collection_counts')).toEqual([{ grp: 'a', lane: 0, n: 3 }]);
    expect(await database.query('SELECT etag FROM idempotency_records ORDER BY key')).toEqual([
      { etag: '"abc-0-1f2e3"' },
      { etag: '"abc-0"' },
    ]);
    const kept = await database.query("SELECT name, value FROM settings WHERE name <> 'epoch'");
    expect(kept).toEqual([{ name: 'secret', value: 'kept' }]);
    await database.close();
    await expect(copy()).rejects.toThrow(/^There is a file .* already/);
  });

  it('copies the events in order, with their ids, each with a unique position', async () => {
    const now = Date.now() * 1000;
    const ids = [event(now, '1'), event(now, '2'), event(now, '3'), event(now + 900, '4'), event(now + 2000, '5')];
    await fillSource(async (database) => {
      await new EventPurge(database, { warn: jest.fn() }, Infinity).prepare();
      await database.transaction(async (tx) => {
        for (const id of ids) {
          await tx.query("INSERT INTO events (id, type, api_version, data) VALUES ($1, 'note.created', '', $2)", [
            id,
            id,
          ]);
          await tx.query('INSERT INTO places (name, at) VALUES ($1, 1)', [id]);
        }
      });
    }, WITH_EVENTS);
    await copy(WITH_EVENTS);
    const database = await openDatabase(databaseAt(`sqlite:${file}`), WITH_EVENTS);
    const events = await database.query<{ id: string; data: string }>('SELECT id, data FROM events ORDER BY place');
    expect(events.map(({ data }) => data)).toEqual(ids);
    expect(events.map(({ id }) => id)).toEqual(ids);
    const named = await database.query<{ name: string }>('SELECT name FROM places ORDER BY name');
    expect(named.map(({ name }) => name)).toEqual(ids);
    const [clock] = await database.query<{ seq: number }>('SELECT min(seq) AS seq FROM collection_lanes');
    expect(clock?.seq).toBeGreaterThanOrEqual(now + 2000);
    await database.close();
  });

  it('killed twice, it leaves no new file, and the same command continues', async () => {
    await fillSource((database) => addManyNotes(database, MANY));
    const first = await kill(2_000_000);
    const last = await kill(1_000_000);
    expect(first).toBeGreaterThan(0);
    expect(last).toBeGreaterThanOrEqual(first);
    expect(last).toBeLessThan(MANY);
    const before = await rowsOf(source.url, 'notes');
    await copy();
    expect(printed).toContain(`notes: continues after ${String(last)} rows`);
    expect(await rowsOf(`sqlite:${file}`, 'notes')).toEqual(before);
  }, 90_000);

  it('changes between the two runs are copied', async () => {
    await fillSource((database) => addManyNotes(database, MANY));
    expect(await kill(2_000_000)).toBeGreaterThan(0);
    await fillSource(async (database) => {
      await database.transaction((tx) =>
        tx.query("UPDATE notes SET body = 'changed', seq = seq + 1 WHERE created_at = 3"),
      );
    });
    await copy();
    expect(await rowsOf(`sqlite:${file}`, 'notes')).toEqual(await rowsOf(source.url, 'notes'));
  }, 90_000);

  it('is refused from a database of another version, and from one that is not ours', async () => {
    await expect(copy()).rejects.toThrow('There are no tables of this service in the database.');
    await fillSource(() => Promise.resolve());
    await expect(copy(WITH_EVENTS)).rejects.toThrow(/^The database is of another version of the service/);
  });
});

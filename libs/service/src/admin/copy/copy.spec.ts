import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { databaseAt } from '../../data/testing/database-url.testing.js';
import { openDatabase } from '../../data/opening/open-database.js';
import type { Database } from '../../data/database/database.js';
import { createDatabase, databaseRows, postgresUnderTest } from '@items/testing';

import { startOperation } from '../operation-process.testing.js';
import { operations } from '../operations.js';
import { runOperation } from '../run-program.js';
import { withPostgres } from '../session/postgres-session.js';
import { addManyNotes, addNotes, operationContext, SCHEMA } from '../service.testing.js';

const MANY = 15_000;
const describeIfServed = postgresUnderTest() === undefined ? describe.skip : describe;

describeIfServed('copy --to PostgreSQL', () => {
  let folder: string;
  let source: string;
  let target: { readonly url: string; drop(): Promise<void> };
  const printed: string[] = [];

  const copy = (): Promise<string> =>
    runOperation(operations, ['copy', '--to', target.url], () =>
      operationContext(databaseAt(source), SCHEMA, { print: (line) => void printed.push(line) }),
    );
  const fillSource = async (work: (database: Database) => Promise<void>): Promise<void> => {
    const database = await openDatabase(databaseAt(source), SCHEMA);
    await work(database);
    await database.close();
  };
  /**
   * Returns all rows in a comparable form, without lanes and columns of one database: see `copied-table.ts`.
   */
  const rowsOf = async (url: string): Promise<string[]> => {
    const rows = (await databaseRows(url)).map((line) => {
      const end = line.indexOf(' ');
      const row = JSON.parse(line.slice(end)) as Record<string, unknown>;
      delete row['walks_until'];
      return { table: line.slice(0, end), row: Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)) };
    });
    const kept = rows.filter(
      ({ table, row }) =>
        !['migrations', 'sqlite_sequence'].includes(table) &&
        !(table === 'collection_lanes' && row.some(([name, value]) => name === 'lane' && value !== 0)),
    );
    return kept.map((row) => JSON.stringify(row)).sort();
  };
  const staged = (table: string): Promise<number> =>
    withPostgres(target.url, async (client) => {
      const { rows } = await client.query<{ there: string | null }>(
        `SELECT to_regclass('items_copying.${table}')::text AS there`,
      );
      if (typeof rows[0]?.there !== 'string') return 0;
      const counted = await client.query<{ n: string }>(`SELECT count(*) AS n FROM items_copying.${table}`);
      return Number(counted.rows[0]?.n);
    });

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'items-copy-'));
    source = `sqlite:${join(folder, 'items.sqlite')}`;
    target = await createDatabase();
    printed.length = 0;
  });
  afterEach(async () => {
    await target.drop();
    rmSync(folder, { recursive: true });
  });

  it('has every row unchanged, and a service can write to it', async () => {
    await fillSource((database) => addNotes(database, 1300));
    const before = await rowsOf(source);
    expect(await copy()).toMatch(/^Copied, and compared row by row: \d+ rows in \d+ tables\. /);
    expect(printed).toContain('notes: 1300 rows');
    expect(await rowsOf(target.url)).toEqual(before);
    expect(await rowsOf(source)).toEqual(before);
    const database = await openDatabase(databaseAt(target.url), SCHEMA);
    const lanes = await database.query(
      "SELECT count(*) AS n, max(lane) AS last FROM collection_lanes WHERE collection = 'notes'",
    );
    expect(lanes).toEqual([{ n: 16, last: 15 }]);
    await database.close();
  });

  it('omits the row numbers of SQLite', async () => {
    await fillSource(async (database) => {
      await database.transaction((tx) => tx.query("INSERT INTO lines VALUES (9, 'a'), (3, 'b'), (12, 'a')"));
    });
    await copy();
    const lines = await withPostgres(target.url, (client) => client.query('SELECT * FROM lines ORDER BY line'));
    expect(lines.rows).toEqual([{ line: 'a' }, { line: 'a' }, { line: 'b' }]);
  });

  it('killed in the middle, it is invisible to a service, and the same command continues', async () => {
    await fillSource((database) => addManyNotes(database, MANY));
    const work = { database: databaseAt(source), name: 'copy', args: ['--to', target.url] };
    const killed = startOperation(work);
    while ((await staged('notes')) === 0) await sleep(2);
    killed.kill();
    await killed.ended;
    const copied = await staged('notes');
    expect(copied).toBeLessThan(MANY);
    expect(await databaseRows(target.url)).toEqual([]);

    const before = await rowsOf(source);
    await copy();
    expect(printed).toContainEqual(expect.stringMatching(/^notes: continues after \d+ rows$/));
    expect(await rowsOf(target.url)).toEqual(before);
  }, 90_000);

  it('rows written to the source between the two runs are copied', async () => {
    await fillSource((database) => addManyNotes(database, MANY));
    const work = { database: databaseAt(source), name: 'copy', args: ['--to', target.url] };
    const killed = startOperation(work);
    while ((await staged('notes')) === 0) await sleep(2);
    killed.kill();
    await killed.ended;
    await fillSource(async (database) => {
      await database.transaction(async (tx) => {
        await tx.query("UPDATE notes SET body = 'changed', seq = seq + 1 WHERE created_at = 3");
      });
    });
    const before = await rowsOf(source);
    await copy();
    expect(await rowsOf(target.url)).toEqual(before);
  }, 90_000);

  it('is refused if there are tables, if the source is in use or missing, and from PostgreSQL', async () => {
    await expect(copy()).rejects.toThrow(/^There is no database at /);
    const database = await openDatabase(databaseAt(source), SCHEMA);
    await expect(copy()).rejects.toThrow(/is in use: stop the service first\.$/);
    await database.close();
    await (await openDatabase(databaseAt(target.url), SCHEMA)).close();
    await expect(copy()).rejects.toThrow(/already: copy into an empty database\.$/);
    source = target.url;
    await expect(copy()).rejects.toThrow(/^A database of PostgreSQL is copied --to sqlite:<new file>/);
  });
});

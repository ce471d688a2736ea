import { copyFileSync } from 'node:fs';
import { join } from 'node:path';

import { Sqlite } from '../../../libs/service/dist/data/sqlite/sqlite.js';
import { createDatabase, providePostgres } from '@items/testing';
import pg from 'pg';

import { startService } from '../service.js';
import { fill } from '../size/tables.js';

const IDS = 1000;
const sampleOfIds = (/** @type {number} */ rows) =>
  `SELECT id FROM plain WHERE price % ${Math.max(1, Math.floor(rows / IDS))} = 0 ORDER BY id LIMIT ${IDS}`;
/** The total of the baseline: a counter, as in the service. */
const countPlain = 'CREATE TABLE plain_count AS SELECT count(*) AS n FROM plain';

/**
 * Creates SQLite files with the same items, in the tables of the service and in a plain one. Each system has its own
 * file, because writers of one file would delay each other.
 * @param {string} folder
 * @param {number} rows
 * @param {readonly string[]} names names of the files.
 * @returns {Promise<{ files: string[], ids: string[] }>} the files, and a sample of ids.
 */
export async function seededFiles(folder, rows, names) {
  const first = join(folder, 'seed.sqlite');
  await (await startService(first)).process.stop();
  const database = new Sqlite(first);
  database.pragma('cache_size = -200000');
  const run = async (/** @type {string} */ sql) => {
    const statement = database.prepare(sql);
    return statement.reader ? statement.all() : (statement.run(), []);
  };
  await fill({ dialect: 'sqlite', run }, rows);
  await run(countPlain);
  const ids = /** @type {{ id: string }[]} */ (await run(sampleOfIds(rows))).map(({ id }) => id);
  // Moves all data from the journal into the file itself.
  database.pragma('journal_mode = DELETE');
  database.close();
  const files = names.map((name) => join(folder, `${name}.sqlite`));
  for (const file of files) copyFileSync(first, file);
  return { files, ids };
}

/**
 * Creates a PostgreSQL database with the same items in the tables of the service and in a plain one.
 * @param {number} rows
 */
export async function seededPostgres(rows) {
  const server = await providePostgres();
  if (server.url === undefined) throw new Error(server.note);
  const { url, drop } = await createDatabase(server.url);
  await (await startService(url)).process.stop();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const run = async (/** @type {string} */ sql) => (await client.query(sql)).rows;
  await fill({ dialect: 'postgres', run }, rows);
  const ids = /** @type {{ id: string }[]} */ (await run(sampleOfIds(rows))).map(({ id }) => id);
  await client.end();
  return { url, ids, drop: () => drop().finally(() => server.stop()) };
}

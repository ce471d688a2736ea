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
/** The baseline's total, as the service's: a counter that its writes keep. */
const countPlain = 'CREATE TABLE plain_count AS SELECT count(*) AS n FROM plain';

/**
 * SQLite files with the same items, in the service's tables and in a plain one: one file for each system, since those
 * that write to the same file would disturb each other.
 * @param {string} folder
 * @param {number} rows
 * @param {readonly string[]} names of the files.
 * @returns {Promise<{ files: string[], ids: string[] }>} and a sample of ids.
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
  // Everything goes into the file itself.
  database.pragma('journal_mode = DELETE');
  database.close();
  const files = names.map((name) => join(folder, `${name}.sqlite`));
  for (const file of files) copyFileSync(first, file);
  return { files, ids };
}

/**
 * A PostgreSQL database with the same items in the service's tables and in a plain one.
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

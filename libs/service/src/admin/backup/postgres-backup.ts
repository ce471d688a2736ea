import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

import type pg from 'pg';

import { OperationError } from '../session/operation-error.js';
import { currentSchema, rowsOf, tablesIn, withPostgres } from '../session/postgres-session.js';
import { FORMAT, rowLine } from './backup-lines.js';
import { quoted } from '../../data/schema/quoted.js';

/**
 * Writes a snapshot of all tables; writers do not wait. The server formats the rows, so that no value passes through a
 * JavaScript type.
 * @param to an empty file. ADR 31 describes the format.
 */
export async function backUpPostgres(url: string, to: string): Promise<void> {
  await withPostgres(url, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await pipeline(Readable.from(sealed(lines(client))), createGzip(), createWriteStream(to));
    await client.query('COMMIT');
  });
}

/** Yields all lines but the last, and returns the number of rows by table. */
async function* lines(client: pg.Client): AsyncGenerator<string, Record<string, number>> {
  const schema = await currentSchema(client);
  const tables = await tablesIn(client, schema);
  if (!tables.includes('migrations')) throw new OperationError('There are no tables of this service in the database.');
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM ${quoted(schema)}.migrations ORDER BY timestamp`,
  );
  const migrations = rows.map(({ name }) => name);
  yield `${JSON.stringify({ format: FORMAT, database: 'postgres', made_at: new Date().toISOString(), migrations })}\n`;
  const counts: Record<string, number> = {};
  for (const table of tables.filter((name) => name !== 'migrations')) {
    counts[table] = 0;
    const sql = `SELECT row_to_json(t)::text FROM ${quoted(schema)}.${quoted(table)} t`;
    for await (const batch of rowsOf(client, sql)) {
      counts[table] += batch.length;
      yield batch.map((row) => rowLine({ table, row })).join('');
    }
  }
  return counts;
}

/** Appends the last line, with the number of rows and the checksum. */
async function* sealed(parts: AsyncGenerator<string, Record<string, number>>): AsyncGenerator<string> {
  const hash = createHash('sha256');
  for (;;) {
    const { done, value } = await parts.next();
    if (done === true) {
      yield `${JSON.stringify({ end: value, sha256: hash.digest('hex') })}\n`;
      return;
    }
    hash.update(value);
    yield value;
  }
}

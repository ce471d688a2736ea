import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

import type pg from 'pg';

import type { DatabaseSchema } from '../../data/database/database-options.js';
import { quoted } from '../../data/schema/quoted.js';

import { OperationError } from '../session/operation-error.js';
import { currentSchema, rowsOf, tablesElsewhere, tablesIn, withPostgres } from '../session/postgres-session.js';
import { beginSnapshot } from '../session/postgres-snapshot.js';
import { FORMAT, rowLine } from './backup-lines.js';
import { describePlainTable, type PlainTable } from './plain-table.js';
import { type OwnTables, serviceTables } from './service-tables.js';

/**
 * Writers wait only for the beginning of the snapshot. The server formats the rows, so that no value passes through a
 * JavaScript type.
 * @param to an empty file, whose format the README of `admin` describes.
 * @returns the names of the other tables of the database.
 * @throws {OperationError} an included table does not exist, or is not plain.
 */
export async function backUpPostgres(
  url: string,
  to: string,
  schema: DatabaseSchema,
  own: OwnTables,
): Promise<readonly string[]> {
  return withPostgres(url, async (client, server) => {
    await beginSnapshot(client, server);
    const plan = await planOf(client, schema, own);
    await pipeline(Readable.from(sealed(lines(client, plan))), createGzip(), createWriteStream(to));
    await client.query('COMMIT');
    return plan.omitted;
  });
}

interface Plan {
  readonly schema: string;
  readonly migrations: readonly string[];
  readonly tables: readonly string[];
  readonly included: Readonly<Record<string, PlainTable>>;
  readonly omitted: readonly string[];
}

async function planOf(client: pg.Client, { migrations, ...more }: DatabaseSchema, own: OwnTables): Promise<Plan> {
  const schema = await currentSchema(client);
  const all = await tablesIn(client, schema);
  if (!all.includes('migrations')) throw new OperationError('There are no tables of this service in the database.');
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM ${quoted(schema)}.migrations ORDER BY timestamp`,
  );
  const names = rows.map(({ name }) => name);
  const ours = await serviceTables({ migrations, ...more }, names);
  const others = all.filter((table) => !ours.has(table));
  const missing = own.include.find((table) => !others.includes(table));
  if (missing !== undefined) {
    const there = others.length === 0 ? 'there are none' : `there are ${others.join(', ')}`;
    throw new OperationError(`There is no table "${missing}" beside those of the service: ${there}.`);
  }
  const included: Record<string, PlainTable> = {};
  for (const table of own.include) included[table] = await describePlainTable(client, schema, table);
  const omitted = others.filter((table) => !own.include.includes(table));
  return {
    schema,
    migrations: names,
    tables: all.filter((table) => table !== 'migrations' && !omitted.includes(table)),
    included,
    omitted: [...omitted, ...(await tablesElsewhere(client, schema))],
  };
}

/** Yields all lines but the last. @returns the number of rows by table. */
async function* lines(
  client: pg.Client,
  { schema, migrations, tables, included }: Plan,
): AsyncGenerator<string, Record<string, number>> {
  const head = { format: FORMAT, database: 'postgres', made_at: new Date().toISOString(), migrations };
  yield `${JSON.stringify(Object.keys(included).length === 0 ? head : { ...head, tables: included })}\n`;
  const counts: Record<string, number> = {};
  for (const table of tables) {
    counts[table] = 0;
    const sql = `SELECT row_to_json(t)::text FROM ${quoted(schema)}.${quoted(table)} t`;
    for await (const batch of rowsOf(client, sql)) {
      counts[table] += batch.length;
      yield batch.map((row) => rowLine({ table, row })).join('');
    }
  }
  return counts;
}

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

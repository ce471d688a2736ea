import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, statSync } from 'node:fs';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { DatabaseConfig } from '../../data/database/database-options.js';
import type { VersionedRow } from '../../data/database/versioned-row.js';
import { sqlName } from '../../data/schema/quoted.js';
import { Sqlite } from '../../data/sqlite/sqlite.js';
import { makeNewFile } from '../backup/new-file.js';
import type { OperationContext } from '../operation.js';
import { OperationError } from '../session/operation-error.js';
import { openPostgres, rowsOf } from '../session/postgres-session.js';
import { FileLines } from './file-lines.js';
import { formatMembers, type Transferable } from './transferable.js';

export interface ExportContext extends Pick<OperationContext, 'database' | 'progress'> {
  readonly output: Writable;
}

/**
 * Writes a snapshot of a collection to a new file, one line per member as in the API, in the order of creation. The
 * service may be running.
 * @param file Path, or `-` for standard output.
 * @throws {OperationError} the export failed, and no file remains.
 */
export async function exportFile(context: ExportContext, collection: Transferable, file: string): Promise<string> {
  if (file === '-') {
    const { lines } = await writeRows(context, collection, context.output);
    return `Exported ${formatMembers(lines, collection)}.`;
  }
  const lines = await makeNewFile(file, 'export', async (partial) => {
    const sent = await writeRows(context, collection, createWriteStream(partial, { flags: 'r+' }));
    const found = await readThrough(partial);
    if (found.lines !== sent.lines || found.sha256 !== sent.sha256)
      throw new OperationError('The export was not made: the file differs from the exported data.');
    return sent.lines;
  });
  return `Exported to ${file}, and read through: ${formatMembers(lines, collection)}, ${String(statSync(file).size)} bytes.`;
}

interface Sum {
  readonly lines: number;
  readonly sha256: string;
}

async function writeRows({ database, progress }: ExportContext, collection: Transferable, to: Writable): Promise<Sum> {
  const hash = createHash('sha256');
  let lines = 0;
  let total = 0;
  async function* texts(): AsyncGenerator<string> {
    for await (const { rows, count } of storedRows(database, collection)) {
      const text = rows.map((row) => `${collection.toJson(row)}\n`).join('');
      hash.update(text);
      lines += rows.length;
      total = count;
      yield text;
      progress.at(`${collection.name} exported`, lines, total);
    }
  }
  try {
    await pipeline(Readable.from(texts()), to, { end: to !== process.stdout });
  } finally {
    progress.end();
  }
  if (lines !== total) throw new OperationError(`The export was not made: ${String(lines)} of ${String(total)} rows.`);
  return { lines, sha256: hash.digest('hex') };
}

async function readThrough(file: string): Promise<Sum> {
  const lines = new FileLines(file, Infinity);
  let count = 0;
  for await (const { number } of lines.all()) count = number;
  return { lines: count, sha256: lines.digest() };
}

const BATCH_ROWS = 500;

/** A batch of rows. `count` is the number of rows in the snapshot. */
interface StoredRows {
  readonly rows: readonly VersionedRow[];
  readonly count: number;
}

function storedRows(
  database: DatabaseConfig,
  { name, columns }: Pick<Transferable, 'name' | 'columns'>,
): AsyncGenerator<StoredRows, void> {
  const rows = `SELECT ${columns.map(sqlName).join(', ')} FROM ${sqlName(name)} ORDER BY created_at, id`;
  const count = `SELECT count(*) AS n FROM ${sqlName(name)}`;
  return database.dialect === 'sqlite'
    ? fromSqlite(database.file, rows, count)
    : fromPostgres(database.url, rows, count);
}

async function* fromSqlite(file: string, sql: string, counting: string): AsyncGenerator<StoredRows, void> {
  if (!existsSync(file)) throw new OperationError(`There is no database at ${file}.`);
  const database = new Sqlite(file, { readonly: true });
  try {
    database.exec('BEGIN');
    const count = database.prepare<[], { n: number }>(counting).get()?.n ?? 0;
    let rows: VersionedRow[] = [];
    for (const row of database.prepare<[], VersionedRow>(sql).iterate()) {
      rows.push(row);
      if (rows.length < BATCH_ROWS) continue;
      yield { rows, count };
      rows = [];
    }
    if (rows.length > 0) yield { rows, count };
  } finally {
    database.close();
  }
}

async function* fromPostgres(url: string, sql: string, counting: string): AsyncGenerator<StoredRows, void> {
  const { client } = await openPostgres(url);
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const counted = await client.query<{ n: string }>(counting);
    const count = Number(counted.rows[0]?.n);
    for await (const texts of rowsOf(client, `SELECT row_to_json(t)::text FROM (${sql}) t`, BATCH_ROWS)) {
      yield { rows: texts.map((text) => JSON.parse(text) as VersionedRow), count };
    }
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}

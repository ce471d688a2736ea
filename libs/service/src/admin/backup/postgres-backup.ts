import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline as pipe, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

import type pg from 'pg';

import type { DatabaseSchema } from '../../data/database/database-options.js';
import { quoted } from '../../data/schema/quoted.js';
import { isOutside, OperationError } from '../session/operation-error.js';
import {
  beginSnapshot,
  currentSchema,
  migrationsIn,
  rowsOf,
  tablesElsewhere,
  tablesIn,
  withPostgres,
} from '../session/postgres-session.js';
import { type Contents, type TeamTables, refuseEmpty, serviceTables } from './contents.js';
import { describePlainTable, isPlainTable, type PlainTable } from './plain-table.js';

/** Name and version of the PostgreSQL backup format. ADR 31 */
const FORMAT = 'items-backup/1';
/** Maximum characters of a line, to limit memory. Rows are far shorter. */
const MAX_LINE = 67_108_864;

export interface BackupRow {
  readonly table: string;
  readonly row: string;
}

function rowStart(table: string): string {
  return `{"table":${JSON.stringify(table)},"row":`;
}

/**
 * Blocks writers only while the snapshot begins. PostgreSQL formats the rows as JSON, because JavaScript types would
 * change some values.
 * @param to an empty file. The README of `admin` describes the format.
 * @returns the names of tables that are not backed up.
 * @throws {OperationError} an included table does not exist, or is not plain (plain-table.ts).
 */
export async function backUpPostgres(
  url: string,
  to: string,
  schema: DatabaseSchema,
  teamTables: TeamTables,
): Promise<readonly string[]> {
  return withPostgres(url, async (client, server) => {
    await beginSnapshot(client, server);
    const plan = await planOf(client, schema, teamTables);
    await pipeline(Readable.from(lines(client, plan)), createGzip(), createWriteStream(to));
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

async function planOf(client: pg.Client, tables: DatabaseSchema, teamTables: TeamTables): Promise<Plan> {
  const schema = await currentSchema(client);
  const all = await tablesIn(client, schema);
  const migrations = await migrationsIn(client, schema);
  const ours = await serviceTables(tables, migrations);
  const others = all.filter((table) => !ours.has(table));
  const missing = teamTables.include.find((table) => !others.includes(table));
  if (missing !== undefined) {
    const there = others.length === 0 ? 'there are none' : `there are ${others.join(', ')}`;
    throw new OperationError(`The database has no table "${missing}" besides those of the service: ${there}.`);
  }
  const included: Record<string, PlainTable> = {};
  for (const table of teamTables.include) included[table] = await describePlainTable(client, schema, table);
  const omitted = others.filter((table) => !teamTables.include.includes(table));
  return {
    schema,
    migrations,
    tables: all.filter((table) => table !== 'migrations' && !omitted.includes(table)),
    included,
    omitted: [...omitted, ...(await tablesElsewhere(client, schema))],
  };
}

async function* lines(client: pg.Client, { schema, migrations, tables, included }: Plan): AsyncGenerator<string, void> {
  const hash = createHash('sha256');
  const hashed = (text: string): string => {
    hash.update(text);
    return text;
  };
  const head = { format: FORMAT, database: 'postgres', made_at: new Date().toISOString(), migrations };
  yield hashed(`${JSON.stringify(Object.keys(included).length === 0 ? head : { ...head, tables: included })}\n`);
  const end: Record<string, number> = {};
  for (const table of tables) {
    end[table] = 0;
    const sql = `SELECT row_to_json(t)::text FROM ${quoted(schema)}.${quoted(table)} t`;
    for await (const batch of rowsOf(client, sql)) {
      end[table] += batch.length;
      yield hashed(batch.map((row) => `${rowStart(table)}${row}}\n`).join(''));
    }
  }
  yield `${JSON.stringify({ end, sha256: hash.digest('hex') })}\n`;
}

/** @throws {OperationError} The file is damaged, incomplete, of another format, or not a backup. */
export async function checkPostgresBackup(file: string): Promise<Contents> {
  const rows = backupRows(file);
  for (;;) {
    const { done, value } = await rows.next();
    if (done === true) return value;
  }
}

/** Yields the rows, and returns the contents. @throws as {@link checkPostgresBackup} */
export async function* backupRows(file: string): AsyncGenerator<BackupRow, Contents> {
  const damaged = (why: string, cause?: unknown): OperationError =>
    new OperationError(`The backup ${file} is damaged: ${why}.`, cause);
  const hash = createHash('sha256');
  const counted = new Map<string, number>();
  let header: Header | undefined;
  try {
    for await (const line of linesOf(file)) {
      if (header === undefined) {
        header = parseHeader(line, file);
      } else if (line.startsWith('{"end":')) {
        const { end, sha256 } = objectOf(line);
        if (sha256 !== hash.digest('hex')) throw damaged('its checksum is wrong');
        const rows = parseCounts(end, counted);
        refuseEmpty(rows, file);
        return { ...header, rows };
      } else {
        const row = parseRow(line);
        counted.set(row.table, (counted.get(row.table) ?? 0) + 1);
        yield row;
      }
      hash.update(`${line}\n`);
    }
  } catch (error) {
    throw isDamage(error) ? damaged(error.message, error) : error;
  }
  throw damaged('its end is missing');
}

type Header = Pick<Contents, 'madeAt' | 'migrations' | 'included'>;

function parseHeader(line: string, file: string): Header {
  const { format, made_at: madeAt, migrations, tables = {} } = objectOf(line);
  if (format !== FORMAT) {
    throw new OperationError(`The file ${file} is not a backup in the format ${FORMAT}, which this version reads.`);
  }
  if (typeof madeAt !== 'string') throw new SyntaxError('it has no time of creation');
  if (!isNames(migrations) || migrations.length === 0) throw new SyntaxError('its migrations are not a list of names');
  if (!isObject(tables) || !Object.values(tables).every(isPlainTable))
    throw new SyntaxError('it does not describe the included tables');
  return { madeAt, migrations, included: tables as Record<string, PlainTable> };
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}

function parseRow(line: string): BackupRow {
  const { table, row, ...others } = objectOf(line);
  const start = typeof table === 'string' ? rowStart(table) : undefined;
  if (start === undefined || !line.startsWith(start) || !isObject(row) || Object.keys(others).length > 0) {
    throw new SyntaxError('one of its lines is not a row of a table');
  }
  return { table: table as string, row: line.slice(start.length, -1) };
}

function parseCounts(end: unknown, counted: ReadonlyMap<string, number>): Contents['rows'] {
  if (!isObject(end)) throw new SyntaxError('its last line does not count the rows');
  const entries = Object.entries(end);
  const isSame = entries.every(([table, count]) => count === (counted.get(table) ?? 0));
  if (!isSame || [...counted.keys()].some((table) => !Object.hasOwn(end, table))) {
    throw new SyntaxError('the numbers of rows differ from those in its last line');
  }
  return Object.fromEntries(entries) as Record<string, number>;
}

function objectOf(line: string): Record<string, unknown> {
  const value: unknown = JSON.parse(line);
  if (!isObject(value)) throw new SyntaxError('one of its lines is not a JSON object');
  return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Yields all complete lines. Takes linear time, even for a line without an end. */
async function* linesOf(file: string): AsyncGenerator<string> {
  const text = createGunzip().setEncoding('utf8');
  pipe(createReadStream(file), text, () => undefined);
  let begun: string[] = [];
  let length = 0;
  for await (const part of text as AsyncIterable<string>) {
    const [first = '', ...lines] = part.split('\n');
    length += first.length;
    if (length > MAX_LINE) throw new SyntaxError('one of its lines is too long');
    begun.push(first);
    const last = lines.pop();
    if (last === undefined) continue;
    yield begun.join('');
    yield* lines;
    begun = [last];
    length = last.length;
  }
}

/** Damaged bytes in a file cause errors of zlib or JSON. */
function isDamage(error: unknown): error is Error {
  return error instanceof SyntaxError || (isOutside(error) && error.code.startsWith('Z_'));
}

import type { QueryRunner } from 'typeorm';

import type { Database } from '../../data/database/database.js';
import type { StoredTypes } from './stored-types.js';

/** Record about the table of a collection, stored in a row of `settings`. */
export interface CollectionRecord {
  /** Migrations that were part of the program that made the table. Its first form includes them. */
  readonly includes?: readonly string[];
  /** Types of its fields at the last start. Stored values have their meaning. */
  readonly types?: StoredTypes;
}

const RECORDS = 'collection:';

export async function collectionRecords(runner: QueryRunner): Promise<ReadonlyMap<string, CollectionRecord>> {
  const rows = (await runner.query(`SELECT name, value FROM settings WHERE name LIKE '${RECORDS}%'`)) as {
    readonly name: string;
    readonly value: string;
  }[];
  return new Map(rows.map(({ name, value }) => [name.slice(RECORDS.length), JSON.parse(value) as CollectionRecord]));
}

export function recordStatements(collection: string, record: CollectionRecord): readonly string[] {
  const name = `'${RECORDS}${collection}'`;
  return [forgetStatement(collection), `INSERT INTO settings (name, value) VALUES (${name}, ${text(record)})`];
}

export function forgetStatement(collection: string): string {
  return `DELETE FROM settings WHERE name = '${RECORDS}${collection}'`;
}

function text(value: unknown): string {
  return `'${JSON.stringify(value).replaceAll("'", "''")}'`;
}

const READ = 'SELECT value FROM settings WHERE name = $1';
const WRITE =
  'INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value';

export async function readRecord(database: Database, collection: string): Promise<CollectionRecord> {
  const [row] = await database.query<{ value: string }>(READ, [RECORDS + collection]);
  return row === undefined ? {} : (JSON.parse(row.value) as CollectionRecord);
}

export async function writeRecord(database: Database, collection: string, record: CollectionRecord): Promise<void> {
  await database.transaction((tx) => tx.query(WRITE, [RECORDS + collection, JSON.stringify(record)]));
}

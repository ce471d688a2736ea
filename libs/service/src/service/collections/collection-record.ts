import type { QueryRunner } from 'typeorm';

import type { Database } from '../../data/database/database.js';
import { readSetting, writeSetting } from '../../data/database/settings.js';
import type { StoredTypes } from './stored-types.js';

/** Record about the table of a collection, stored in a row of `settings`. */
export interface CollectionRecord {
  /** Migrations whose changes the table was created with. */
  readonly includes?: readonly string[];
  /** Field types at the last start. They define the meaning of stored values. */
  readonly types?: StoredTypes;
}

const RECORDS = 'collection:';

export async function collectionRecords(runner: QueryRunner): Promise<ReadonlyMap<string, CollectionRecord>> {
  const sql = `SELECT name, value FROM settings WHERE name LIKE '${RECORDS}%'`;
  const rows = (await runner.query(sql)) as readonly { readonly name: string; readonly value: string }[];
  return new Map(rows.map(({ name, value }) => [name.slice(RECORDS.length), JSON.parse(value) as CollectionRecord]));
}

export function recordStatements(collection: string, record: CollectionRecord): readonly string[] {
  const name = `'${RECORDS}${collection}'`;
  const value = `'${JSON.stringify(record).replaceAll("'", "''")}'`;
  return [`DELETE FROM settings WHERE name = ${name}`, `INSERT INTO settings (name, value) VALUES (${name}, ${value})`];
}

export async function readRecord(database: Database, collection: string): Promise<CollectionRecord> {
  return JSON.parse((await readSetting(database, RECORDS + collection)) ?? '{}') as CollectionRecord;
}

export async function writeRecord(database: Database, collection: string, record: CollectionRecord): Promise<void> {
  await database.transaction((tx) => writeSetting(tx, RECORDS + collection, JSON.stringify(record)));
}

import type { DatabaseSchema } from '../../data/database/database-options.js';
import { codeOf, isUniqueViolation, violatedIndex } from '../../data/database/error-codes.js';
import type pg from 'pg';

import { type BackupRow, backupRows } from '../backup/postgres-backup.js';
import type { Contents } from '../backup/contents.js';
import { OperationError } from '../session/operation-error.js';
import { withPostgres } from '../session/postgres-session.js';
import { StagingSchema } from './staging-schema.js';

const STAGING = 'items_restoring';
const NOT_NULL_VIOLATION = '23502';

/**
 * Creates tables of the backup's version in a separate schema, loads the backup, migrates the tables, and swaps them
 * with those of the service in one transaction.
 */
export async function restorePostgres(
  url: string,
  backup: string,
  contents: Contents,
  schema: DatabaseSchema,
): Promise<string> {
  return withPostgres(url, async (client, server) => {
    const staging = await StagingSchema.open(client, server, STAGING, schema.applicationName);
    await staging.create();
    try {
      await staging.migrate({ ...schema, only: contents.migrations });
      await staging.createPlain(contents.included ?? {});
      const others = await fill(client, staging, backup, contents);
      await staging.migrate(schema);
      const former = await staging.swapTables();
      return [
        former === undefined
          ? 'There were no tables of the service before.'
          : `The former tables are in the schema ${former}: DROP SCHEMA ${former} CASCADE removes them.`,
        ...(others.length > 0 ? [`Omitted, because they are not tables of the service: ${others.join(', ')}.`] : []),
      ].join(' ');
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      await staging.drop().catch(() => undefined);
      throw error;
    }
  });
}

/** @returns the tables of the backup that the service does not have. */
async function fill(client: pg.Client, staging: StagingSchema, backup: string, contents: Contents): Promise<string[]> {
  const serviceTables = await staging.tables();
  const missing = serviceTables.find((table) => !Object.hasOwn(contents.rows, table));
  if (missing !== undefined) throw new OperationError(`The backup ${backup} is damaged: it has no table ${missing}.`);
  const settings = staging.table('settings');
  const records = await client.query<{ name: string; value: string }>(
    `SELECT name, value FROM ${settings} WHERE name LIKE 'collection:%'`,
  );
  await client.query('BEGIN');
  // Remove rows that migrations have inserted, such as settings.
  await client.query(`TRUNCATE ${serviceTables.map((table) => staging.table(table)).join(', ')}`);
  await staging.add(onlyOf(backupRows(backup), serviceTables)).catch(explainOlderRows);
  for (const table of serviceTables) {
    const { rows } = await client.query<{ count: string }>(`SELECT count(*) FROM ${staging.table(table)}`);
    if (Number(rows[0]?.count) === contents.rows[table]) continue;
    throw new OperationError(
      `The backup was not restored, and the database is unchanged: rows of ${table} are missing.`,
    );
  }
  // The restored `collection:` records lack migrations written after the backup. Merge in `records`, read from the new
  // tables: they name all migrations.
  for (const { name, value } of records.rows) {
    await client.query(
      `INSERT INTO ${settings} AS s (name, value) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET value = (s.value::jsonb || excluded.value::jsonb)::text`,
      [name, value],
    );
  }
  await staging.continueNumbers(contents.included ?? {});
  await client.query('COMMIT');
  return Object.keys(contents.rows).filter((table) => !serviceTables.includes(table));
}

async function* onlyOf(rows: AsyncIterable<BackupRow>, tables: readonly string[]): AsyncGenerator<BackupRow> {
  for await (const row of rows) if (tables.includes(row.table)) yield row;
}

/** @throws {OperationError} the rows of an older backup violate a later NOT NULL or unique key. */
function explainOlderRows(error: unknown): never {
  const { column = '' } = error as pg.DatabaseError;
  const isUnique = isUniqueViolation(error);
  if (!isUnique && codeOf(error) !== NOT_NULL_VIOLATION) throw error;
  const { table, columns } = violatedIndex(error);
  const change = isUnique ? `unique key (${columns.join(', ')})` : `column ${column}`;
  throw new OperationError(
    `The backup is older than the ${change} of ${table}: restore it with the version that made it, and start this version on that database.`,
  );
}

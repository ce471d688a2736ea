import { randomBytes } from 'node:crypto';
import { postgresUnderTest } from '../servers/servers-under-test.js';
import { askPostgres } from './ask-postgres.js';

export interface OwnDatabase {
  readonly url: string;
  /** Removes the database, and ends all connections to it. */
  drop(): Promise<void>;
}

/**
 * Creates an empty database, so that tests do not see each other's rows.
 * @param serverUrl any database on the server, with the right to create more. Default: the server of this test run.
 * @throws {Error} this test run has no PostgreSQL.
 */
export async function createDatabase(serverUrl = postgresUnderTest()): Promise<OwnDatabase> {
  if (serverUrl === undefined) throw new Error('This test run has no PostgreSQL: ask postgresUnderTest() first.');
  const name = `items_test_${randomBytes(8).toString('hex')}`;
  // template0 has no connections, so that test files can create databases concurrently. A copy of files takes a
  // quarter of the CPU of a copy through the log.
  await askPostgres(serverUrl, `CREATE DATABASE ${name} TEMPLATE template0 STRATEGY file_copy`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const drop = async (): Promise<void> => {
    await askPostgres(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  };
  return { url: url.href, drop };
}

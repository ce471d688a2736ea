import { Client } from 'pg';

/**
 * Runs SQL on a connection of its own.
 * @param url `postgres://…`
 * @param connectMs how long connecting may take, in milliseconds; without a limit where it is left out.
 * @returns the rows.
 */
export async function askPostgres<Row extends object>(url: string, sql: string, connectMs = 0): Promise<Row[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectMs });
  // A server that is killed is an error of the statement; without a listener it would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

import { Client } from 'pg';

/** Runs SQL on a new connection. @param connectMs time limit for connecting. Default: none. @returns the rows. */
export async function askPostgres<Row extends object>(url: string, sql: string, connectMs = 0): Promise<Row[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectMs });
  // If the server is killed, the statement fails; without a listener, the error would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

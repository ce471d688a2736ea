import { freePort, poolerPrepares } from '@items/testing';
import pg from 'pg';

import { programPath } from './binaries.ts';
import type { Site } from './site.ts';

/** A few connections serve many clients. Prepared statements need version 1.21 or later in this mode. */
const TRANSACTIONS = `pool_mode = transaction
default_pool_size = 20
max_prepared_statements = 200`;
const SESSIONS = `pool_mode = session
default_pool_size = 60`;

interface PoolerOptions {
  name?: string;
  /** `best` is the transaction mode if this version supports it. */
  mode?: 'session' | 'best';
}

/** Starts PgBouncer in front of the PostgreSQL server of the site on this port. */
export async function startPgBouncer(site: Site, server: number, options: PoolerOptions = {}) {
  const { name = 'pgbouncer', mode = 'session' } = options;
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

async function answers(url: string) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined);
  await client.connect();
  await client.end();
  return true;
}

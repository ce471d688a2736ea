import { freePort } from '@items/testing';
import pg from 'pg';

import { programPath } from '../cluster/binaries.js';

/**
 * PgBouncer in session mode, in front of a PostgreSQL of ours.
 * @param {import('../cluster/site.js').Site} site
 * @param {number} server its port.
 */
export async function startPgBouncer(site, server) {
  const port = await freePort();
  const configuration = `
[databases]
items = host=127.0.0.1 port=${server} dbname=items user=items
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = session
default_pool_size = 40
`;
  const url = `postgres://items@127.0.0.1:${port}/items`;
  const program = await site.run(
    {
      name: 'pgbouncer',
      command: programPath('pgbouncer', 'pgbouncer'),
      args: [site.file('pgbouncer.ini', configuration)],
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

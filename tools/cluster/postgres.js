import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { askPostgres, freePort } from '@items/testing';

import { postgresBinaries } from './binaries.js';
import { waitUntil } from './wait-until.js';

const run = promisify(execFile);
/** Timeout of a connection attempt, because a server may not respond. */
const CONNECT_MS = 2000;
const ROLE = 'items';

/** A PostgreSQL server of a site. */
export class Postgres {
  /**
   * @param {import('./site.js').Site} site
   * @param {string} name
   * @param {{ postgres: string, data: string, port: number, settings: readonly string[] }} how
   */
  constructor(site, name, { postgres, data, port, settings }) {
    this.site = site;
    this.name = name;
    this.data = data;
    this.port = port;
    this.plan = {
      name,
      command: postgres,
      args: ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
      cwd: data,
      // Immediate shutdown of all its processes.
      endSignal: /** @type {const} */ ('SIGQUIT'),
      ...(site.as !== undefined && { as: site.as }),
    };
  }

  /** URL of the service's database. */
  get url() {
    return `postgres://${ROLE}@127.0.0.1:${this.port}/${ROLE}`;
  }

  async start() {
    this.program = await this.site.run(this.plan, () => this.query('SELECT 1'));
  }

  /** Starts the server after it has ended. */
  async startAgain() {
    if (this.program === undefined) throw new Error(`${this.name} was never started`);
    this.program.start();
    await this.site.ready(this.program, () => this.query('SELECT 1'));
  }

  async kill() {
    await this.program?.kill();
  }

  /**
   * Runs a statement as superuser.
   * @param {string} sql
   * @param {string} [database]
   * @returns {Promise<Record<string, unknown>[]>}
   */
  query(sql, database = 'postgres') {
    return askPostgres(`postgres://postgres@127.0.0.1:${this.port}/${database}`, sql, CONNECT_MS);
  }

  async promote() {
    await this.query('SELECT pg_promote()');
  }
}

/** Settings of all servers: replication, and no disk writes for data that is deleted after a minute. */
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=200',
  'wal_level=replica',
  'wal_keep_size=512MB',
  'hot_standby=on',
  'fsync=off',
];

/**
 * Starts a primary with the role and database of the service, and optionally a standby that has each write before it
 * is acknowledged.
 * @param {import('./site.js').Site} site
 * @param {{ hasStandby: boolean }} options
 */
export async function startPostgres(site, { hasStandby }) {
  const { initdb, postgres } = await postgresBinaries();
  const folder = site.folderOf('postgres');
  const data = join(folder, 'primary');
  const options = ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '--encoding=UTF8', '--locale=C'];
  await run(initdb, options, { ...site.as, cwd: folder });
  const copy = join(folder, 'standby');
  // Copied before the first start, so the standby receives all later writes from the primary.
  if (hasStandby) await run('cp', ['-a', data, copy]);
  const port = await freePort();
  const primary = new Postgres(site, 'primary', { postgres, data, port, settings: SETTINGS });
  await primary.start();
  await primary.query(`CREATE ROLE ${ROLE} LOGIN`);
  await primary.query(`CREATE DATABASE ${ROLE} OWNER ${ROLE}`);
  if (!hasStandby) return { primary, standby: undefined };

  writeFileSync(join(copy, 'standby.signal'), '');
  const follow = `primary_conninfo=host=127.0.0.1 port=${port} user=postgres application_name=standby`;
  const standby = new Postgres(site, 'standby', {
    postgres,
    data: copy,
    port: await freePort(),
    settings: [...SETTINGS, follow],
  });
  await standby.start();
  await primary.query("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
  await primary.query('SELECT pg_reload_conf()');
  await waitUntil('the standby follows', async () => {
    const [row] = await primary.query('SELECT sync_state FROM pg_stat_replication');
    return row?.['sync_state'] === 'sync';
  });
  return { primary, standby };
}

import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { askPostgres, freePort } from '@items/testing';

import { postgresBinaries } from './binaries.ts';
import type { Program, ProgramPlan } from './program.ts';
import type { Site } from './site.ts';
import { waitUntil } from './wait-until.ts';

const run = promisify(execFile);
/** Timeout of a connection attempt, because a server may not respond. */
const CONNECT_MS = 2000;
const ROLE = 'items';

interface ServerOptions {
  /** Path of the program. */
  postgres: string;
  data: string;
  port: number;
  settings: readonly string[];
}

/** A PostgreSQL server of a site. */
export class Postgres {
  readonly site: Site;
  readonly name: string;
  readonly data: string;
  readonly port: number;
  readonly #plan: ProgramPlan;
  program: Program | undefined;

  constructor(site: Site, name: string, { postgres, data, port, settings }: ServerOptions) {
    this.site = site;
    this.name = name;
    this.data = data;
    this.port = port;
    this.#plan = {
      name,
      command: postgres,
      args: ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
      cwd: data,
      // Immediate shutdown of all its processes.
      endSignal: 'SIGQUIT',
      ...(site.as !== undefined && { as: site.as }),
    };
  }

  /** URL of the service's database. */
  get url() {
    return `postgres://${ROLE}@127.0.0.1:${this.port}/${ROLE}`;
  }

  async start() {
    this.program = await this.site.run(this.#plan, () => this.query('SELECT 1'));
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

  /** Runs a statement as superuser. */
  query(sql: string, database = 'postgres'): Promise<Record<string, unknown>[]> {
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
 */
export async function startPostgres(site: Site, { hasStandby }: { hasStandby: boolean }) {
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

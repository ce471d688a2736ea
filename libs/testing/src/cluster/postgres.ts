import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { askPostgres } from '../postgres/ask-postgres.js';
import { freePort } from '../servers/free-port.js';
import { postgresBinaries } from './binaries.js';
import type { Program, ProgramPlan } from './program.js';
import type { Site } from './site.js';
import { waitUntil } from './wait-until.js';

const run = promisify(execFile);
/** Timeout of a connection attempt, because a server may not respond. */
const CONNECT_MS = 2000;
const ROLE = 'items';

export interface PostgresPlan {
  readonly postgres: string;
  readonly data: string;
  readonly port: number;
  readonly settings: readonly string[];
}

export class Postgres {
  program: Program | undefined;
  readonly data: string;
  readonly port: number;
  private readonly plan: ProgramPlan;

  constructor(
    private readonly site: Site,
    readonly name: string,
    { postgres, data, port, settings }: PostgresPlan,
  ) {
    this.data = data;
    this.port = port;
    this.plan = {
      name,
      command: postgres,
      args: ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
      cwd: data,
      // Immediate shutdown of all its processes.
      endSignal: 'SIGQUIT',
      ...site.as,
    };
  }

  /** URL of the service's database. */
  get url(): string {
    return `postgres://${ROLE}@127.0.0.1:${this.port}/${ROLE}`;
  }

  async start(): Promise<void> {
    this.program = await this.site.run(this.plan, () => this.query('SELECT 1'));
  }

  /** Starts the server after it has ended. */
  async startAgain(): Promise<void> {
    if (this.program === undefined) throw new Error(`${this.name} was never started`);
    this.program.start();
    await this.site.ready(this.program, () => this.query('SELECT 1'));
  }

  async kill(): Promise<void> {
    await this.program?.kill();
  }

  /** Runs a statement as superuser. */
  query(sql: string): Promise<Record<string, unknown>[]> {
    return askPostgres(`postgres://postgres@127.0.0.1:${this.port}/postgres`, sql, CONNECT_MS);
  }

  async promote(): Promise<void> {
    await this.query('SELECT pg_promote()');
  }
}

/** Settings of all servers: replication, and no fsync for data that is deleted after a minute. */
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
 * Starts a server with the role and the database of the service.
 * @param copy receives the path of the data before the first start.
 */
export async function startPostgres(
  site: Site,
  copy: (data: string) => Promise<unknown> = () => Promise.resolve(),
): Promise<Postgres> {
  const { initdb, postgres } = postgresBinaries();
  const folder = site.folderOf('postgres');
  const data = join(folder, 'primary');
  const options = ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '--encoding=UTF8', '--locale=C'];
  await run(initdb, options, { ...site.as.as, cwd: folder });
  await copy(data);
  const primary = new Postgres(site, 'primary', { postgres, data, port: await freePort(), settings: SETTINGS });
  await primary.start();
  await primary.query(`CREATE ROLE ${ROLE} LOGIN`);
  await primary.query(`CREATE DATABASE ${ROLE} OWNER ${ROLE}`);
  return primary;
}

export interface PostgresPair {
  readonly primary: Postgres;
  /** Has each write before it is acknowledged. */
  readonly standby: Postgres;
}

export async function startPostgresPair(site: Site): Promise<PostgresPair> {
  const data = join(site.folderOf('postgres'), 'standby');
  // Copied before the first start, so the standby receives all later writes from the primary.
  const primary = await startPostgres(site, (original) => run('cp', ['-a', original, data]));
  writeFileSync(join(data, 'standby.signal'), '');
  const follow = `primary_conninfo=host=127.0.0.1 port=${primary.port} user=postgres application_name=standby`;
  const { postgres } = postgresBinaries();
  const settings = [...SETTINGS, follow];
  const standby = new Postgres(site, 'standby', { postgres, data, port: await freePort(), settings });
  await standby.start();
  await primary.query("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
  await primary.query('SELECT pg_reload_conf()');
  await waitUntil('the standby follows', async () => {
    const [row] = await primary.query('SELECT sync_state FROM pg_stat_replication');
    return row?.['sync_state'] === 'sync';
  });
  return { primary, standby };
}

import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { endAtExit } from '../servers/end-at-exit.js';
import { freePort } from '../servers/free-port.js';
import { askPostgres } from './ask-postgres.js';

const run = promisify(execFile);
const DEBIAN = '/usr/lib/postgresql';
/** PostgreSQL refuses to run as root. */
const UNPRIVILEGED = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const WITHIN_MS = 30_000;
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=100',
  'shared_buffers=32MB',
  'wal_level=replica',
  'wal_keep_size=256MB',
  'fsync=off',
];

const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
const bin = versions
  .map((version) => join(DEBIAN, version, 'bin'))
  .find((folder) => existsSync(join(folder, 'initdb')));

/** Without the programs of PostgreSQL, tests that need them are skipped. */
export const hasPostgresPrograms = bin !== undefined;

/** A server of PostgreSQL, with its data in a folder of a pair. */
class Server {
  private process: ChildProcess | undefined;

  constructor(
    readonly data: string,
    private readonly port: number,
    private readonly settings: readonly string[],
  ) {}

  get url(): string {
    return `postgres://postgres@127.0.0.1:${String(this.port)}/postgres`;
  }

  ask<Row extends object>(sql: string): Promise<Row[]> {
    return askPostgres<Row>(this.url, sql, 2000);
  }

  /** Starts the server, also after {@link kill}, at the same address. */
  async start(): Promise<void> {
    const settings = this.settings.flatMap((setting) => ['-c', setting]);
    const started = spawn(join(bin ?? '', 'postgres'), ['-D', this.data, '-p', String(this.port), ...settings], {
      ...UNPRIVILEGED,
      cwd: this.data,
      stdio: 'ignore',
    });
    this.process = started;
    endAtExit(started, 'SIGKILL');
    await until(() => this.ask('SELECT 1'));
  }

  /** Simulates a machine that fails. */
  async kill(): Promise<void> {
    const { process: running } = this;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, 'exit');
    // Its other processes end when they notice.
    running.kill('SIGKILL');
    await ended;
  }
}

/** A primary of PostgreSQL and a standby that follows it with a small delay, unless it is paused. */
export class StreamingPair {
  private constructor(
    private readonly folder: string,
    readonly primary: Server,
    readonly standby: Server,
  ) {}

  static async start(): Promise<StreamingPair> {
    if (bin === undefined) throw new Error('There are no programs of PostgreSQL: ask hasPostgresPrograms first.');
    const folder = await mkdtemp(join(tmpdir(), 'items-pair-'));
    if (UNPRIVILEGED.uid !== undefined) await chown(folder, UNPRIVILEGED.uid, UNPRIVILEGED.gid);
    const as = { ...UNPRIVILEGED, cwd: folder };
    const [data, copy] = [join(folder, 'primary'), join(folder, 'standby')];
    const options = ['-U', 'postgres', '-A', 'trust', '--no-sync', '--encoding=UTF8', '--locale=C'];
    await run(join(bin, 'initdb'), ['-D', data, ...options], as);
    // Copied before the first start, so the copy gets all data from the primary.
    await run('cp', ['-a', data, copy], as);
    await writeFile(join(copy, 'standby.signal'), '');
    const port = await freePort();
    const follow = `primary_conninfo=host=127.0.0.1 port=${String(port)} user=postgres`;
    const primary = new Server(data, port, SETTINGS);
    const standby = new Server(copy, await freePort(), [...SETTINGS, follow]);
    const pair = new StreamingPair(folder, primary, standby);
    try {
      await primary.start();
      await standby.start();
      return pair;
    } catch (error) {
      await pair.stop();
      throw error;
    }
  }

  /** Leads to the server that accepts writes, also after {@link promote}. */
  get url(): string {
    const hosts = [this.primary, this.standby].map(({ url }) => new URL(url).host).join();
    return `postgres://postgres@${hosts}/postgres?target_session_attrs=read-write`;
  }

  /** Later writes of the primary reach the standby, but are not visible there. */
  async pause(): Promise<void> {
    await this.standby.ask('SELECT pg_wal_replay_pause()');
    await until(async () => {
      const [row] = await this.standby.ask<{ state: string }>('SELECT pg_get_wal_replay_pause_state() AS state');
      return row?.state === 'paused';
    });
  }

  async resume(): Promise<void> {
    await this.standby.ask('SELECT pg_wal_replay_resume()');
  }

  /** Makes the standby a primary; the former primary continues, unless it is killed. */
  async promote(): Promise<void> {
    await this.standby.ask('SELECT pg_promote(true, 20)');
  }

  /** Resolves when the standby shows all data of the primary. */
  async caughtUp(): Promise<void> {
    const [row] = await this.primary.ask<{ lsn: string }>('SELECT pg_current_wal_insert_lsn()::text AS lsn');
    const sql = `SELECT pg_last_wal_replay_lsn() >= '${row?.lsn ?? ''}' AS reached`;
    await until(async () => (await this.standby.ask<{ reached: boolean }>(sql))[0]?.reached);
  }

  async stop(): Promise<void> {
    for (const server of [this.standby, this.primary]) await server.kill();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

async function until(holds: () => Promise<unknown>): Promise<void> {
  const endMs = performance.now() + WITHIN_MS;
  for (;;) {
    const result = await holds().catch((error: unknown) =>
      performance.now() > endMs ? Promise.reject(error as Error) : false,
    );
    if (result !== false && result !== undefined) return;
    if (performance.now() > endMs) throw new Error('PostgreSQL is not as it should be in time.');
    await sleep(50);
  }
}

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import pg from 'pg';

import { endAtExit } from '../servers/end-at-exit.js';
import { freePort } from '../servers/free-port.js';

/** PgBouncer refuses to run as root. */
const UNPRIVILEGED = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
/** First version with prepared statements in transaction mode: it keeps those of its clients apart. */
const PREPARES_SINCE = 1.21;

/** `stdout` is null if `pgbouncer` is missing, although Node's types exclude null. */
const asked: { readonly stdout: string | null } = spawnSync('pgbouncer', ['--version'], { encoding: 'utf8' });

/** Version of the `pgbouncer` on the PATH, such as `1.18`; undefined if there is none. */
export const poolerVersion = /PgBouncer (\d+\.\d+)/.exec(asked.stdout ?? '')?.[1];

/** Whether this version supports prepared statements in transaction mode. */
export const poolerPrepares = Number(poolerVersion ?? 0) >= PREPARES_SINCE;

export interface PoolerOptions {
  readonly mode: 'session' | 'transaction';
  /** A statement that runs on each new connection to the server. */
  readonly onConnect?: string;
  /** Whether to separate prepared statements, if the version can. Default: true. */
  readonly prepares?: boolean;
}

/** PgBouncer in front of the server of a URL. */
export class Pooler {
  private process: ChildProcess | undefined;

  private constructor(
    /** The same database, through the pooler. */
    readonly url: string,
    private readonly folder: string,
    private readonly file: string,
  ) {}

  static async startInFrontOf(url: string, { mode, onConnect, prepares = true }: PoolerOptions): Promise<Pooler> {
    const { hostname, port, username, password, pathname } = new URL(url);
    const folder = mkdtempSync(join(tmpdir(), 'items-pooler-'));
    const ownPort = await freePort();
    const file = join(folder, 'pgbouncer.ini');
    const target = [`host=${hostname}`, `port=${port || '5432'}`, `user=${username}`];
    if (password !== '') target.push(`password=${password}`);
    if (onConnect !== undefined) target.push(`connect_query='${onConnect}'`);
    const settings = {
      listen_addr: '127.0.0.1',
      listen_port: ownPort,
      unix_socket_dir: '',
      auth_type: 'any',
      pool_mode: mode,
      // In session mode each client has a connection to the server; in transaction mode all clients share a few.
      default_pool_size: mode === 'session' ? 60 : 10,
      max_client_conn: 200,
      ...(onConnect !== undefined && { server_reset_query: '' }),
      ...(poolerPrepares && { max_prepared_statements: prepares ? 200 : 0 }),
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${String(value)}`);
    writeFileSync(file, ['[databases]', `* = ${target.join(' ')}`, '[pgbouncer]', ...lines, ''].join('\n'));
    if (UNPRIVILEGED.uid !== undefined) chownSync(folder, UNPRIVILEGED.uid, UNPRIVILEGED.gid);
    chmodSync(file, 0o644);
    const pooled = new Pooler(`postgres://${username}@127.0.0.1:${String(ownPort)}${pathname}`, folder, file);
    await pooled.start();
    return pooled;
  }

  /** Starts PgBouncer, also after {@link kill}, at the same address. */
  async start(): Promise<void> {
    this.process = spawn('pgbouncer', ['--quiet', this.file], { ...UNPRIVILEGED, stdio: 'ignore' });
    endAtExit(this.process, 'SIGKILL');
    await this.answers();
  }

  /** Simulates a machine that fails. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  async stop(): Promise<void> {
    await this.end('SIGINT');
    rmSync(this.folder, { recursive: true });
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { process } = this;
    if (process === undefined || process.exitCode !== null || process.signalCode !== null) return;
    process.kill(signal);
    await once(process, 'exit');
  }

  private async answers(): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      const client = new pg.Client(this.url);
      try {
        await client.connect();
        return;
      } catch (error) {
        if (tries === 100) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      } finally {
        await client.end().catch(() => undefined);
      }
    }
  }
}

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from '@items/testing';
import pg from 'pg';

/** PgBouncer does not run as root. */
const UNPRIVILEGED = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/** Whether this machine has PgBouncer; where not, the tests that need it say so. */
export const hasPooler = spawnSync('pgbouncer', ['--version']).status === 0;

/** PgBouncer in front of the server of a URL. */
export class Pooler {
  private constructor(
    /** The same database, through the pooler. */
    readonly url: string,
    private readonly process: ChildProcess,
    private readonly folder: string,
  ) {}

  /** @param onConnect a statement for each connection to the server. */
  static async before(url: string, mode: 'session' | 'transaction', onConnect?: string): Promise<Pooler> {
    const { hostname, port, username, password, pathname } = new URL(url);
    const folder = mkdtempSync(join(tmpdir(), 'items-pooler-'));
    const ownPort = await freePort();
    const file = join(folder, 'pgbouncer.ini');
    writeFileSync(
      file,
      `[databases]
* = host=${hostname} port=${port || '5432'} user=${username}${password ? ` password=${password}` : ''}${onConnect ? ` connect_query='${onConnect}'` : ''}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${String(ownPort)}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 10
max_client_conn = 200
${onConnect === undefined ? '' : 'server_reset_query =\n'}`,
    );
    if (UNPRIVILEGED.uid !== undefined) chownSync(folder, UNPRIVILEGED.uid, UNPRIVILEGED.gid);
    chmodSync(file, 0o644);
    const process = spawn('pgbouncer', ['--quiet', file], { ...UNPRIVILEGED, stdio: 'ignore' });
    const pooled = new Pooler(`postgres://${username}@127.0.0.1:${String(ownPort)}${pathname}`, process, folder);
    await pooled.answers();
    return pooled;
  }

  async stop(): Promise<void> {
    this.process.kill('SIGINT');
    if (this.process.exitCode === null) await once(this.process, 'exit');
    rmSync(this.folder, { recursive: true });
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

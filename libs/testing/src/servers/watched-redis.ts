import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { endAtExit } from './end-at-exit.js';
import { freePort } from './free-port.js';

const MASTER = 'shop';
const SENTINELS = 3;
/** Sentinels replace a master that has not responded for this time. */
const DOWN_AFTER_MS = 1000;
const WITHIN_MS = 20_000;
/** Maximum wait for a returned master to become a replica, because the Sentinels must notice it first. */
const FOLLOWS_WITHIN_MS = 60_000;

/** Without `redis-server` on the PATH, tests that need it are skipped. */
export const hasRedisServer = spawnSync('redis-server', ['--version']).status === 0;

/** A Redis master, its replica, and three Sentinels that replace the master by the replica. */
export class WatchedRedis {
  private readonly processes = new Map<number, ChildProcess>();

  private constructor(
    private readonly folder: string,
    private readonly sentinels: readonly number[],
  ) {}

  static async start(): Promise<WatchedRedis> {
    const [master = 0, replica = 0, ...sentinels] = await ports(2 + SENTINELS);
    const watched = new WatchedRedis(mkdtempSync(join(tmpdir(), 'items-sentinels-')), sentinels);
    watched.serve(master);
    watched.serve(replica, '--replicaof', '127.0.0.1', String(master));
    for (const port of sentinels) watched.watch(port, master);
    const knows = new RegExp(
      `num-slaves\\r\\n\\$1\\r\\n1[^]*num-other-sentinels\\r\\n\\$1\\r\\n${String(SENTINELS - 1)}`,
    );
    for (const port of sentinels) await until(async () => knows.test(await asked(port, `SENTINEL MASTER ${MASTER}`)));
    return watched;
  }

  get url(): string {
    return `redis+sentinel://${this.sentinels.map((port) => `127.0.0.1:${String(port)}`).join(',')}/0?master=${MASTER}`;
  }

  /** Stops the master by a signal. @returns when another one has replaced it. */
  async lose(signal: 'SIGKILL' | 'SIGSTOP'): Promise<void> {
    const lost = await this.master();
    this.processes.get(lost)?.kill(signal);
    await until(async () => (await this.master()) !== lost);
    const port = await this.master();
    await until(async () => (await asked(port, 'ROLE')).includes('master'));
  }

  /** Starts a killed master again. @returns when it follows the new one. */
  async revive(): Promise<void> {
    for (const [port, process] of this.processes) {
      if (process.signalCode === null) continue;
      this.serve(port);
      const follows = /role:slave[^]*master_link_status:up/;
      await until(async () => follows.test(await asked(port, 'INFO replication')), FOLLOWS_WITHIN_MS);
    }
  }

  async stop(): Promise<void> {
    for (const process of this.processes.values()) {
      const ended = once(process, 'exit');
      if (process.exitCode !== null || process.signalCode !== null || !process.kill('SIGKILL')) continue;
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async master(): Promise<number> {
    const answer = await asked(this.sentinels[0] ?? 0, `SENTINEL GET-MASTER-ADDR-BY-NAME ${MASTER}`);
    return Number(/\r\n(\d+)\r\n/.exec(answer)?.[1] ?? 0);
  }

  private serve(port: number, ...more: readonly string[]): void {
    this.spawn(port, ['--port', String(port), '--bind', '127.0.0.1', '--save', '', ...more]);
  }

  private watch(port: number, master: number): void {
    const file = join(this.folder, `sentinel-${String(port)}.conf`);
    const lines = [
      `port ${String(port)}`,
      'bind 127.0.0.1',
      `sentinel monitor ${MASTER} 127.0.0.1 ${String(master)} 2`,
      `sentinel down-after-milliseconds ${MASTER} ${String(DOWN_AFTER_MS)}`,
      `sentinel failover-timeout ${MASTER} 5000`,
    ];
    writeFileSync(file, `${lines.join('\n')}\n`);
    this.spawn(port, [file, '--sentinel']);
  }

  private spawn(port: number, args: readonly string[]): void {
    const started = spawn('redis-server', args, { cwd: this.folder, stdio: 'ignore' });
    endAtExit(started, 'SIGKILL');
    this.processes.set(port, started);
  }
}

async function ports(count: number): Promise<number[]> {
  const free: number[] = [];
  while (free.length < count) free.push(await freePort());
  return free;
}

/** Returns the raw response to one command; empty without a server. */
function asked(port: number, command: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 1000 }).setEncoding('utf8');
    let answer = '';
    socket.on('data', (text: string) => (answer += text));
    for (const event of ['timeout', 'error', 'close'] as const) {
      socket.once(event, () => {
        socket.destroy();
        resolve(answer);
      });
    }
    socket.write(`${command}\r\nQUIT\r\n`);
  });
}

async function until(holds: () => Promise<boolean>, withinMs = WITHIN_MS): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`The Sentinels have not agreed within ${String(withinMs)} ms.`);
    await sleep(50);
  }
}

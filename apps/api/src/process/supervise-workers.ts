import cluster from 'node:cluster';

import type { Log } from '../logging/log.js';

/** A worker that crashes at once must not keep the machine busy with starting it. */
const RESTART_DELAY_MS = 1_000;

/**
 * Keeps a number of workers running, all on one port, and logs how they come and go. The first one starts alone: it
 * migrates the database, and says what there is to say.
 */
export function superviseWorkers(count: number, log: Log): void {
  let stopping = false;
  const stop = (): void => {
    stopping = true;
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM');
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);

  let serving = false;
  cluster.on('listening', ({ process: { pid } }) => {
    log.info({ pid }, 'worker listens');
  });
  cluster.on('exit', ({ process: { pid } }, code: number | null, signal: string | null) => {
    log[stopping ? 'info' : 'warn']({ pid, code, signal }, 'worker ended');
    if (stopping && noneLeft()) process.exit(0);
    else if (!stopping && !serving) process.exit(code || 1);
    else if (!stopping) setTimeout(() => stopping || cluster.fork(), RESTART_DELAY_MS);
  });
  cluster.fork().once('listening', () => {
    serving = true;
    for (let started = 1; started < count; started += 1) cluster.fork();
  });
}

function noneLeft(): boolean {
  return Object.keys(cluster.workers ?? {}).length === 0;
}

import cluster, { type Worker } from 'node:cluster';

import type { ProcessLog } from './process-log.js';
import { RestartDelay } from './restart-delay.js';

/** What a worker says that is about to end, and is still answering what is under way. */
const FAILED = 'failed';

/** Has a worker replaced at once that has failed; nothing without workers. */
export function tellSupervisor(): void {
  cluster.worker?.send(FAILED);
}

/**
 * Keeps a number of workers running, all on one port, and logs how they come and go. The first one starts alone: it
 * does what is to be done once, and where it ends before it listens, this process ends with its status.
 */
export function superviseWorkers(count: number, log: ProcessLog): void {
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
  const delay = new RestartDelay();
  const startedAt = new Map<number, number>();
  const start = (): Worker => {
    const worker = cluster.fork();
    startedAt.set(worker.id, performance.now());
    return worker;
  };
  /** Once, whether it says that it has failed or is simply gone. */
  const replace = ({ id }: Worker): void => {
    const started = startedAt.get(id);
    if (!startedAt.delete(id) || started === undefined) return;
    setTimeout(() => stopping || start(), delay.next(performance.now() - started));
  };
  cluster.on('message', (worker, message: unknown) => {
    if (message === FAILED && serving && !stopping) replace(worker);
  });
  cluster.on('exit', (worker, code: number | null, signal: string | null) => {
    log[stopping ? 'info' : 'warn']({ pid: worker.process.pid, code, signal }, 'worker ended');
    if (stopping && noneLeft()) process.exit(0);
    else if (!stopping && !serving) process.exit(code || 1);
    else if (!stopping) replace(worker);
  });
  start().once('listening', () => {
    serving = true;
    for (let started = 1; started < count; started += 1) start();
  });
}

function noneLeft(): boolean {
  return Object.keys(cluster.workers ?? {}).length === 0;
}

import cluster from 'node:cluster';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import type { HealthAnswer } from './health-answer.js';
import type { ThreadOptions, ThreadReport, ToldHealth } from './thread-messages.js';

/** What is served, and where. */
export interface HealthOptions extends ThreadOptions {
  readonly log: { info(fields: object, message: string): void };
}

/** Takes what a process says of its readiness, which is a sign of life as well. */
export type TellHealth = (answer: HealthAnswer) => void;

/** Health that is served beside the service. */
export interface ServedHealth {
  readonly tell: TellHealth;
  /** Ends it. */
  readonly close: () => Promise<void>;
}

/** From a worker of `node:cluster` to its primary process. */
const TOLD = 'health:told';
/** This process, where there are no others. */
const ALONE = 0;

/**
 * Serves health by a thread of this process, until that or the process ends. A worker of `node:cluster` serves nothing: what it says goes to
 * its primary process, where {@link serveWorkerHealth} serves all of them.
 * @throws what keeps the port from being listened on.
 */
export async function serveHealth(options: HealthOptions): Promise<ServedHealth> {
  if (cluster.isWorker) {
    // The primary process may be gone by now.
    return {
      tell: (answer) => process.send?.({ type: TOLD, answer }, undefined, {}, () => undefined),
      close: () => Promise.resolve(),
    };
  }
  const thread = await startThread(options);
  return {
    tell: (answer) => {
      thread.postMessage({ source: ALONE, answer } satisfies ToldHealth);
    },
    close: async () => {
      await thread.terminate();
    },
  };
}

/**
 * In the primary process of `node:cluster`: serves what all workers say, together, until the process ends.
 * @throws what keeps the port from being listened on.
 */
export async function serveWorkerHealth(options: HealthOptions): Promise<void> {
  const thread = await startThread(options);
  const pass = (source: number, answer: HealthAnswer | null): void => {
    thread.postMessage({ source, answer } satisfies ToldHealth);
  };
  cluster.on('message', ({ id }, message: unknown) => {
    if (isTold(message)) pass(id, message.answer);
  });
  cluster.on('exit', ({ id }) => {
    pass(id, null);
  });
}

async function startThread({ log, ...options }: HealthOptions): Promise<Worker> {
  const thread = new Worker(new URL('health-thread.js', import.meta.url), { workerData: options });
  const [report] = (await once(thread, 'message')) as [ThreadReport];
  if ('failure' in report) throw Object.assign(new Error(report.failure.message), report.failure);
  // The process ends when nothing else keeps it.
  thread.unref();
  log.info({ url: report.url }, 'health is served');
  return thread;
}

function isTold(message: unknown): message is { readonly answer: HealthAnswer } {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === TOLD;
}

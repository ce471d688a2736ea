import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import type { HealthAnswer } from './health-answer.js';
import type { ThreadOptions, ThreadReport } from './thread-messages.js';

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

/**
 * Serves health by a thread of this process, until it is closed or the process ends.
 * @throws {Error} the port cannot be listened on.
 */
export async function serveHealth(options: HealthOptions): Promise<ServedHealth> {
  const thread = await startThread(options);
  return {
    tell: (answer) => {
      thread.postMessage(answer);
    },
    close: async () => {
      await thread.terminate();
    },
  };
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

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import type { SideAddress } from '../../http/edge/side-server.js';
import type { HealthAnswer } from './health-board.js';

export interface ThreadOptions extends SideAddress {
  readonly headers: Readonly<Record<string, string>>;
}

/** A failure is a plain object, because `postMessage` drops properties of errors, such as `code`. */
export type ThreadReport =
  { readonly url: string } | { readonly failure: Pick<NodeJS.ErrnoException, 'message' | 'code' | 'syscall'> };

export interface HealthOptions extends ThreadOptions {
  readonly log: { info(fields: object, message: string): void };
}

/** Receives readiness reports. Their arrival shows that the main thread is not blocked. */
export type ReportHealth = (answer: HealthAnswer) => void;

export interface ServedHealth {
  readonly report: ReportHealth;
  readonly close: () => Promise<unknown>;
}

/** @throws {Error} the port of the health checks cannot be used. */
export async function serveHealth({ log, ...options }: HealthOptions): Promise<ServedHealth> {
  const thread = new Worker(new URL('health-thread.js', import.meta.url), { workerData: options });
  const [report] = (await once(thread, 'message')) as [ThreadReport];
  if ('failure' in report) throw Object.assign(new Error(report.failure.message), report.failure);
  // The thread must not keep the process alive.
  thread.unref();
  log.info({ url: report.url }, 'health is served');
  return { report: (answer) => thread.postMessage(answer), close: () => thread.terminate() };
}

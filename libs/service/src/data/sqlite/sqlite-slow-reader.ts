import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { RowValues, SqlValue } from '../database/database.js';
import { notifyListener, type StatementListener } from '../database/slow-statements.js';
import { tooSlow } from '../database/too-slow.js';

export interface SlowThreadData {
  readonly file: string;
  readonly busyTimeoutMs: number;
  readonly pragmas: readonly string[];
}

export interface SlowRequest {
  readonly sql: string;
  readonly params: readonly SqlValue[];
  readonly leftMs: number;
}

export type SlowReply =
  | { readonly rows: RowValues[] }
  | { readonly failure: { readonly message: string; readonly code: string; readonly isLate: boolean } };

/** Names the compiled file, because a worker thread cannot load TypeScript. */
const THREAD = new URL('../../../dist/data/sqlite/sqlite-thread.js', import.meta.url);

/** Reads on a worker thread. The first statement starts the thread. ADR 63 */
export class SqliteSlowReader {
  private thread: Worker | undefined;

  constructor(
    private readonly data: SlowThreadData,
    private readonly listener?: StatementListener,
  ) {}

  async read(sql: string, params: readonly SqlValue[], deadlineMs: number): Promise<RowValues[]> {
    const beganAtMs = performance.now();
    const leftMs = deadlineMs - beganAtMs;
    if (leftMs <= 0) throw tooSlow();
    try {
      const reply = await this.send({ sql, params, leftMs });
      if ('rows' in reply) return reply.rows;
      const { message, code, isLate } = reply.failure;
      const error = Object.assign(new Error(message), { code });
      throw isLate ? tooSlow(error) : error;
    } finally {
      notifyListener(this.listener, sql, beganAtMs);
    }
  }

  async close(): Promise<void> {
    await this.thread?.terminate();
  }

  private async send(request: SlowRequest): Promise<SlowReply> {
    const thread = (this.thread ??= this.start());
    // Keeps the process alive while a caller waits.
    thread.ref();
    try {
      thread.postMessage(request);
      const [reply] = (await once(thread, 'message')) as [SlowReply];
      return reply;
    } finally {
      thread.unref();
    }
  }

  private start(): Worker {
    const thread = new Worker(THREAD, { workerData: this.data });
    thread.on('error', () => undefined);
    thread.once('exit', () => {
      if (this.thread === thread) this.thread = undefined;
      // Makes the pending `send()` reject.
      thread.emit('error', new Error('The thread for slow reads has exited.'));
    });
    return thread;
  }
}

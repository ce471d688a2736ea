import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import type { RowValues, SqlValue } from '../database/database.js';
import type { StatementListener } from '../database/slow-statements.js';
import { tooSlow } from '../database/too-slow.js';

export interface SlowThreadData {
  readonly file: string;
  readonly busyTimeoutMs: number;
  readonly pragmas: readonly string[];
}

export interface SlowQuestion {
  readonly sql: string;
  readonly params: readonly SqlValue[];
  readonly leftMs: number;
}

export type SlowReply =
  | { readonly rows: RowValues[] }
  | { readonly failure: { readonly message: string; readonly code: string; readonly isLate: boolean } };

/** Compiled, because a worker thread cannot load TypeScript. */
const THREAD = new URL('../../../dist/data/sqlite/sqlite-thread.js', import.meta.url);

/** Reads without blocking the event loop. The first statement starts the thread. ADR 63 */
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
      const reply = await this.ask({ sql, params, leftMs });
      if ('rows' in reply) return reply.rows;
      const { message, code, isLate } = reply.failure;
      const error = Object.assign(new Error(message), { code });
      throw isLate ? tooSlow(error) : error;
    } finally {
      const { listener } = this;
      if (listener !== undefined && performance.now() - beganAtMs >= listener.fromMs) {
        listener.onStatement(sql, beganAtMs);
      }
    }
  }

  async close(): Promise<void> {
    await this.thread?.terminate();
  }

  private async ask(question: SlowQuestion): Promise<SlowReply> {
    const thread = (this.thread ??= this.start());
    // Keeps the process alive while a caller waits.
    thread.ref();
    try {
      thread.postMessage(question);
      return await this.reply(thread);
    } finally {
      thread.unref();
    }
  }

  private async reply(thread: Worker): Promise<SlowReply> {
    const stop = new AbortController();
    const { signal } = stop;
    try {
      // `once` rejects if the thread emits an error.
      const exit = once(thread, 'exit', { signal }).then(() => {
        throw new Error('The thread for slow reads has exited.');
      });
      exit.catch(() => undefined);
      const [reply] = (await Promise.race([once(thread, 'message', { signal }), exit])) as [SlowReply];
      return reply;
    } finally {
      stop.abort();
    }
  }

  private start(): Worker {
    const thread = new Worker(THREAD, { workerData: this.data });
    thread.once('exit', () => {
      if (this.thread === thread) this.thread = undefined;
    });
    thread.on('error', () => undefined);
    return thread;
  }
}

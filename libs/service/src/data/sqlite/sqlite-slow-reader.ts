import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import type { RowValues, SqlValue } from '../database/database.js';
import type { StatementListener } from '../database/slow-statements.js';
import { tooSlow } from '../database/too-slow.js';

/** How the thread opens the file. */
export interface SlowThreadData {
  readonly file: string;
  readonly busyTimeoutMs: number;
  readonly pragmas: readonly string[];
}

/** A statement for the thread, and how long it may take, in milliseconds. */
export interface SlowQuestion {
  readonly sql: string;
  readonly params: readonly SqlValue[];
  readonly leftMs: number;
}

/** What the thread has found. */
export type SlowReply =
  | { readonly rows: RowValues[] }
  | { readonly failure: { readonly message: string; readonly code: string; readonly isLate: boolean } };

/** The built file: a worker thread cannot load TypeScript, and tests run this file from the sources. */
const THREAD = new URL('../../../dist/data/sqlite/sqlite-thread.js', import.meta.url);

/**
 * Reads on a thread with a connection of its own, so that the event loop does not wait. The thread starts with the first
 * statement. Statements are handed to it one after the other. ADR 63
 */
export class SqliteSlowReader {
  private thread: Worker | undefined;

  constructor(
    private readonly data: SlowThreadData,
    private readonly listener?: StatementListener,
  ) {}

  /**
   * The rows of a SELECT, as their values.
   * @param deadlineMs on the clock of `performance`.
   * @throws {ServiceUnavailableError} 503 `too_slow`
   */
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
    // While a caller waits, the thread keeps the process alive.
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
      // `once` rejects with what ends the thread.
      const exit = once(thread, 'exit', { signal }).then(() => {
        throw new Error('The thread that reads has ended.');
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
    // The statement under way fails with it.
    thread.on('error', () => undefined);
    return thread;
  }
}

import { existsSync, readFileSync } from 'node:fs';

import { HttpClient, type RunningApp } from '@items/testing';

/**
 * Maximum time for which a request may block others. `SMALL_LIMIT_MS` applies up to `SMALL_BYTES`, such as bodies of 16
 * KiB. SPEC §4.5
 */
const LIMIT_MS = 100;
const SMALL_LIMIT_MS = 25;
const SMALL_BYTES = 20_000;
/** Limit on a busy machine, relative to a harmless request of the same size. */
const RATIO = 10;
const ATTEMPTS = 3;

/** A possibly slow request, and the size of its unusual part. */
export interface OddRequest {
  readonly title: string;
  readonly bytes: number;
  readonly send: (client: HttpClient) => Promise<unknown>;
}

/** Measures how long one request keeps the service from serving others. */
export class Blocking {
  private readonly sender: HttpClient;
  private readonly other: HttpClient;
  /** Linux's file with the CPU time of the main thread, which alone serves requests. */
  private readonly schedstat: string;

  constructor(app: RunningApp) {
    this.sender = new HttpClient({ baseUrl: app.baseUrl, timeoutMs: 120_000 });
    this.other = new HttpClient({ baseUrl: app.baseUrl, timeoutMs: 120_000 });
    const pid = String(app.process.pid);
    this.schedstat = `/proc/${pid}/task/${pid}/schedstat`;
  }

  /**
   * Returns the longest wait of another client during the request, in milliseconds, without the time of other
   * processes. Repeats the measurement if it is not well below every limit, and returns the lowest result.
   */
  async of(request: OddRequest): Promise<number> {
    let least = Infinity;
    for (let attempt = 0; attempt < ATTEMPTS && least > SMALL_LIMIT_MS / 2; attempt += 1) {
      least = Math.min(least, await this.once(request));
    }
    return least;
  }

  /** Returns a sentence for each request that delays others for too long. */
  async tooLong(requests: readonly OddRequest[], harmless: (bytes: number) => OddRequest): Promise<string[]> {
    const found: string[] = [];
    for (const request of requests) {
      const limit = request.bytes <= SMALL_BYTES ? SMALL_LIMIT_MS : LIMIT_MS;
      const ms = await this.of(request);
      if (ms <= limit) continue;
      const usual = await this.of(harmless(request.bytes));
      if (ms > RATIO * usual)
        found.push(`${request.title}: ${ms.toFixed(0)} ms, a harmless one ${usual.toFixed(1)} ms`);
    }
    return found;
  }

  private async once({ send }: OddRequest): Promise<number> {
    const state = { isAnswered: false };
    const answer = send(this.sender).then(
      () => (state.isAnswered = true),
      // The service may close the connection without a response. Only the cost counts.
      () => (state.isAnswered = true),
    );
    let longestMs = 0;
    do {
      const begunAt = performance.now();
      const before = this.computedMs();
      await this.other.get('/health/live');
      // Exclude the time of other processes of the machine.
      longestMs = Math.max(longestMs, Math.min(performance.now() - begunAt, this.computedMs() - before));
    } while (!state.isAnswered);
    await answer;
    return longestMs;
  }

  private computedMs(): number {
    // Systems other than Linux: measure only the wait.
    if (!existsSync(this.schedstat)) return performance.now();
    return Number(readFileSync(this.schedstat, 'utf8').split(' ')[0]) / 1e6;
  }
}

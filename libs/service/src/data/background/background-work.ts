import { setTimeout as sleep } from 'node:timers/promises';

import { isUnavailable } from '../database/database-unavailable.js';

/** What background work says of a round that failed. */
export interface WarningLog {
  warn(message: string): void;
}

/** What is done again and again beside the requests: one round at a time, from its start to its stop. */
export abstract class BackgroundWork {
  private readonly stopping = new AbortController();
  private round = Promise.resolve();

  /**
   * @param periodMs from the end of one round to the next.
   * @param postponed what the log says of a round that failed.
   */
  protected constructor(
    private readonly log: WarningLog,
    private readonly periodMs: number,
    private readonly postponed: string,
  ) {}

  /** One round. What fails is logged, and tried again in the next one. @param stop ends it early, between two steps. */
  protected abstract work(stop: AbortSignal): Promise<void>;

  /** The first round begins after one period. */
  start(): void {
    void this.repeat();
  }

  /** Waits for the round that is under way; there is none after it. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.round;
  }

  /** A round at once, after the one that is under way. Never rejects. */
  runNow(): Promise<void> {
    this.round = this.round.then(this.attempt);
    return this.round;
  }

  private async repeat(): Promise<void> {
    const { signal } = this.stopping;
    for (;;) {
      try {
        await sleep(this.periodMs, undefined, { signal, ref: false });
      } catch {
        return;
      }
      await this.runNow();
    }
  }

  private readonly attempt = async (): Promise<void> => {
    try {
      await this.work(this.stopping.signal);
    } catch (error) {
      // The database tells of its outage itself, in few lines.
      if (isUnavailable(error)) return;
      this.log.warn(`${this.postponed}: ${String(error)}`);
    }
  };
}

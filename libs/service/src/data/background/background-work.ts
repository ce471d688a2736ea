import { setTimeout as sleep } from 'node:timers/promises';
import { isUnavailable } from '../database/database-unavailable.js';

export interface WarningLog {
  warn(message: string): void;
}

/** A periodic background task. Rounds never overlap. */
export abstract class BackgroundWork {
  private readonly stopping = new AbortController();
  private round = Promise.resolve();

  /** @param postponed Log message for a failed round. The error is appended. */
  protected constructor(
    private readonly log: WarningLog,
    private readonly periodMs: number,
    private readonly postponed: string,
  ) {}

  /**
   * Runs one round. Errors are logged.
   * @param stop Ends the round after its current step.
   */
  protected abstract work(stop: AbortSignal): Promise<void>;

  start(): void {
    void this.repeat();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.round;
  }

  /** Runs a round immediately, or after the current round. Never rejects. */
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
      // The database logs its own outages.
      if (isUnavailable(error)) return;
      this.log.warn(`${this.postponed}: ${String(error)}`);
    }
  };
}

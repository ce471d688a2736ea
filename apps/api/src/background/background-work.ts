import { Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';

/** What is done again and again beside the requests: one round at a time, until the service stops. */
export abstract class BackgroundWork implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger(this.constructor.name);
  private readonly stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private round = Promise.resolve();

  /**
   * @param periodMs from the end of one round to the next.
   * @param postponed what the log says of a round that failed.
   */
  protected constructor(
    private readonly periodMs: number,
    private readonly postponed: string,
  ) {}

  /** One round. What fails is logged, and tried again in the next one. @param stop ends it early, between two steps. */
  protected abstract work(stop: AbortSignal): Promise<void>;

  onModuleInit(): void {
    this.timer = setTimeout(() => {
      void this.runNow().then(() => {
        if (!this.stopping.signal.aborted) this.onModuleInit();
      });
    }, this.periodMs).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.round;
  }

  /** A round at once, after the one that is under way. Never rejects. */
  runNow(): Promise<void> {
    this.round = this.round.then(() => this.attempt());
    return this.round;
  }

  private async attempt(): Promise<void> {
    try {
      await this.work(this.stopping.signal);
    } catch (error) {
      this.logger.warn(`${this.postponed}: ${String(error)}`);
    }
  }
}

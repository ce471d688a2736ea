import type { ProcessLog } from './process-log.js';

/** Steps of a stop, and the time after which the process exits, whatever hangs. */
export interface EndingPlan<Times> {
  readonly times: Times;
  readonly limitMs: number;
}

export interface EndingOptions<Times> {
  /** Stops the service; the process exits when the promise resolves. Called once. */
  readonly stop: (times: Times) => Promise<void>;
  readonly log: ProcessLog;
  readonly onSignal: EndingPlan<Times>;
  /** Usually shorter: after a fault nothing can be trusted. */
  readonly onFault: EndingPlan<Times>;
}

/** Ends the process once: gracefully on a signal, with status 1 after an uncaught exception. */
export class Ending<Times> {
  private isEnding = false;
  private status = 0;

  constructor(private readonly options: EndingOptions<Times>) {}

  watch(): void {
    const onSignal = (): void => {
      this.end(this.options.onSignal);
    };
    const onFault = (fault: unknown): void => {
      this.fail(fault);
    };
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
    process.on('uncaughtException', onFault).on('unhandledRejection', onFault);
  }

  private fail(fault: unknown): void {
    this.status = 1;
    const err = fault instanceof Error ? fault : new Error(`A value that is no Error was thrown: ${String(fault)}`);
    this.options.log.fatal({ err }, 'uncaught exception: the process ends');
    this.end(this.options.onFault);
  }

  private end({ limitMs, times }: EndingPlan<Times>): void {
    setTimeout(() => process.exit(this.status), limitMs).unref();
    // A terminal signals the whole process group, and npm forwards the signal: the second one is a duplicate.
    if (this.isEnding) return;
    this.isEnding = true;
    this.options.stop(times).then(
      () => process.exit(this.status),
      (error: unknown) => {
        this.options.log.fatal({ err: error }, 'graceful stop failed: the process exits immediately with status 1');
        process.exit(1);
      },
    );
  }
}

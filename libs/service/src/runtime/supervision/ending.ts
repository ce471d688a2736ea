import type { ProcessLog } from './process-log.js';

/** How a stop goes, and after how many milliseconds the process is gone, whatever hangs. */
export interface EndingPlan<Times> {
  readonly times: Times;
  readonly limitMs: number;
}

/** What an {@link Ending} needs. */
export interface EndingOptions<Times> {
  /** Stops what the process does; it ends when the promise is fulfilled. Called once. */
  readonly stop: (times: Times) => Promise<void>;
  readonly log: ProcessLog;
  readonly onSignal: EndingPlan<Times>;
  /** After a fault nothing can be trusted: a shorter plan as a rule. */
  readonly onFault: EndingPlan<Times>;
}

/** Ends the process, once: gracefully when a signal asks for it, and with status 1 after an uncaught exception. */
export class Ending<Times> {
  private isEnding = false;
  private status = 0;

  constructor(private readonly options: EndingOptions<Times>) {}

  /** Waits for signals and faults. */
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
    // A terminal signals the whole group, and npm passes the signal on: the second one is the same.
    if (this.isEnding) return;
    this.isEnding = true;
    this.options.stop(times).then(
      () => process.exit(this.status),
      (error: unknown) => {
        this.options.log.fatal({ err: error }, 'graceful stop failed');
        process.exit(1);
      },
    );
  }
}

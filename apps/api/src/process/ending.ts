import { STOP_AFTER_DELAY_MS, stopTimes, type StopTimes } from '@items/http';
import type { Log } from '@items/logging';

import type { Service } from '../create-service.js';
import { tellSupervisor } from './supervise-workers.js';

/** Whatever hangs, the process is gone so long after its last connection was cut. */
const CLOSE_LIMIT_MS = 700;
/** After a fault nothing can be trusted: what is under way is answered as far as it can be, and no more. */
const FAULT_TIMES: StopTimes = { refuseNew: 0, closeIdle: 0, answerLate: 2_000, cut: 3_000 };
const FAULT_LIMIT_MS = 4_000;

/** Ends the process, once: gracefully when a signal asks for it, and with status 1 after an uncaught exception. */
export class Ending {
  private isEnding = false;
  private status = 0;

  constructor(
    private readonly stop: Service['stop'],
    private readonly log: Log,
    private readonly stopDelayMs: number,
  ) {}

  /** Waits for signals and faults. */
  watch(): void {
    const onSignal = (): void => {
      this.end(this.stopDelayMs + STOP_AFTER_DELAY_MS + CLOSE_LIMIT_MS, stopTimes(this.stopDelayMs));
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
    this.log.fatal({ err }, 'uncaught exception: the process ends');
    if (!this.isEnding) tellSupervisor();
    this.end(FAULT_LIMIT_MS, FAULT_TIMES);
  }

  private end(limitMs: number, times: StopTimes): void {
    setTimeout(() => process.exit(this.status), limitMs).unref();
    // A terminal signals the whole group, and npm passes the signal on: the second one is the same.
    if (this.isEnding) return;
    this.isEnding = true;
    this.stop(times).then(
      () => process.exit(this.status),
      (error: unknown) => {
        this.log.fatal({ err: error }, 'graceful stop failed');
        process.exit(1);
      },
    );
  }
}

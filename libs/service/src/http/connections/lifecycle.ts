import type { IncomingMessage } from 'node:http';

/** Header of the requests that the service sends to itself for the warm-up. Responses to them are not logged. */
export const WARM_UP_MARK = 'x-own-mark';

export class Lifecycle {
  private warmUpMark: string | undefined;
  private readonly stop = new AbortController();

  /** Aborted when the stop begins, so that long polls respond immediately. */
  get stopping(): AbortSignal {
    return this.stop.signal;
  }

  setWarmUpMark(mark: string | undefined): void {
    this.warmUpMark = mark;
  }

  isWarmUp({ headers }: IncomingMessage): boolean {
    return this.warmUpMark !== undefined && headers[WARM_UP_MARK] === this.warmUpMark;
  }

  beginStop(): void {
    this.stop.abort();
  }

  isStopping(): boolean {
    return this.stop.signal.aborted;
  }
}

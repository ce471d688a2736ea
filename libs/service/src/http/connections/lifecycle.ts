import type { IncomingMessage } from 'node:http';

/** Header that marks requests of the service itself. */
export const OWN_MARK = 'x-own-mark';

export class Lifecycle {
  /** Value of {@link OWN_MARK}, while the service sends requests to itself. */
  private ownMark: string | undefined;
  private readonly stop = new AbortController();

  /** Aborted when the stop begins, so that long polls respond immediately. */
  get stopping(): AbortSignal {
    return this.stop.signal;
  }

  /** Sets the mark of the service's own requests; undefined: there are none any more. */
  markOwn(mark: string | undefined): void {
    this.ownMark = mark;
  }

  isOwn({ headers }: IncomingMessage): boolean {
    return this.ownMark !== undefined && headers[OWN_MARK] === this.ownMark;
  }

  /** Marks the service as not ready. Each connection ends with its next response. */
  beginStop(): void {
    this.stop.abort();
  }

  isStopping(): boolean {
    return this.stop.signal.aborted;
  }
}

import type { IncomingMessage } from 'node:http';

/** The header in which the service's own requests carry their mark. */
export const OWN_MARK = 'x-own-mark';

/** Whether the service is on its way in, or out. */
export class Lifecycle {
  /** The mark of the service's own requests, while there are any. */
  private ownMark: string | undefined;
  private readonly stop = new AbortController();

  /** Aborted when the stop begins: what waits answers at once. */
  get stopping(): AbortSignal {
    return this.stop.signal;
  }

  /** Requests with this mark are the service's own from here on; undefined: there are none any more. */
  markOwn(mark: string | undefined): void {
    this.ownMark = mark;
  }

  /** Whether a request is the service's own. */
  isOwn({ headers }: IncomingMessage): boolean {
    return this.ownMark !== undefined && headers[OWN_MARK] === this.ownMark;
  }

  /** From here on it is not ready, and closes each connection with the next answer on it. */
  beginStop(): void {
    this.stop.abort();
  }

  isStopping(): boolean {
    return this.stop.signal.aborted;
  }
}

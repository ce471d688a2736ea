import type { IncomingMessage } from 'node:http';

/** Header that marks requests of the service to itself. */
export const OWN_MARK = 'x-own-mark';

export class Lifecycle {
  private ownMark: string | undefined;
  private readonly stop = new AbortController();

  /** Aborted when the stop begins, so that long polls respond immediately. */
  get stopping(): AbortSignal {
    return this.stop.signal;
  }

  markOwn(mark: string | undefined): void {
    this.ownMark = mark;
  }

  isOwn({ headers }: IncomingMessage): boolean {
    return this.ownMark !== undefined && headers[OWN_MARK] === this.ownMark;
  }

  beginStop(): void {
    this.stop.abort();
  }

  isStopping(): boolean {
    return this.stop.signal.aborted;
  }
}

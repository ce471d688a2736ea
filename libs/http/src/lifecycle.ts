/** Whether the service is on its way out. */
export class Lifecycle {
  private readonly stop = new AbortController();

  /** Aborted when the stop begins: what waits answers at once. */
  get stopping(): AbortSignal {
    return this.stop.signal;
  }

  /** From here on it is not ready, and closes each connection with the next answer on it. */
  beginStop(): void {
    this.stop.abort();
  }

  isStopping(): boolean {
    return this.stop.signal.aborted;
  }
}

/** Whether the service is on its way out. */
export class Lifecycle {
  private stopping = false;

  /** From here on it is not ready, and closes each connection with the next answer on it. */
  beginStop(): void {
    this.stopping = true;
  }

  isStopping(): boolean {
    return this.stopping;
  }
}

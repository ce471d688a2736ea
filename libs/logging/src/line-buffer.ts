/** Holds lines back until there are enough of them to be worth a system call, or for a moment at most. ADR 29 */
export class LineBuffer {
  private held = '';

  /**
   * @param pass takes the lines that were held, as one text.
   * @param length characters that are enough.
   * @param maxWaitMs how long a line is held. The timer keeps no process alive: who ends it flushes.
   */
  constructor(
    private readonly pass: (lines: string) => void,
    private readonly length: number,
    maxWaitMs: number,
  ) {
    setInterval(() => {
      this.flush();
    }, maxWaitMs).unref();
  }

  write(line: string): void {
    this.held += line;
    if (this.held.length >= this.length) this.flush();
  }

  flush(): void {
    const { held } = this;
    if (held === '') return;

    this.held = '';
    this.pass(held);
  }
}

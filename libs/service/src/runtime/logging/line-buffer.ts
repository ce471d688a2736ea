/** Beyond what is enough, so that a line of usual length always fits; its characters take three bytes each at most. */
const SLACK = 16_384;
const MOST_BYTES = 3;

/**
 * Holds lines back until there are enough of them to be worth a system call, or for a moment at most. Each becomes bytes at
 * once: as one text of many pieces they would all have to be looked up again. ADR 29
 */
export class LineBuffer {
  private held: Buffer;
  private size = 0;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param pass takes the lines that were held, in UTF-8; they are its own.
   * @param length bytes that are enough.
   * @param maxWaitMs how long a line is held. That keeps no process alive: who ends it flushes.
   */
  constructor(
    private readonly pass: (lines: Buffer) => void,
    private readonly length: number,
    private readonly maxWaitMs: number,
  ) {
    this.held = this.room();
  }

  write(line: string): void {
    const most = MOST_BYTES * line.length;
    if (most > this.held.length - this.size) this.flush();
    if (most > this.held.length) {
      this.pass(Buffer.from(line));
      return;
    }
    if (this.size === 0) this.timer = setTimeout(() => this.flush(), this.maxWaitMs).unref();
    this.size += this.held.write(line, this.size);
    if (this.size >= this.length) this.flush();
  }

  flush(): void {
    if (this.size === 0) return;
    clearTimeout(this.timer);
    const lines = this.held.subarray(0, this.size);
    this.held = this.room();
    this.size = 0;
    this.pass(lines);
  }

  private room(): Buffer {
    return Buffer.allocUnsafeSlow(this.length + SLACK);
  }
}

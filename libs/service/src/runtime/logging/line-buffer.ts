/** Room for a line of usual length. A character takes at most three bytes. */
const SLACK = 16_384;
const MOST_BYTES = 3;

/**
 * Buffers log lines to save system calls. Each line is encoded immediately: a concatenated string of many pieces would
 * have to be visited again. ADR 44
 */
export class LineBuffer {
  private held: Buffer;
  private size = 0;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param pass receives buffered lines in UTF-8, and owns the buffer.
   * @param length number of bytes that triggers a write.
   * @param maxWaitMs the timer does not keep the process alive, so call `flush` at its end.
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

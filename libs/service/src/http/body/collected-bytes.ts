/**
 * Collects chunks in one buffer. Separate buffers would cost 100 bytes or more each, and a client can send a mebibyte
 * byte by byte.
 */
export class CollectedBytes {
  private held = Buffer.alloc(0);
  private size = 0;

  get length(): number {
    return this.size;
  }

  constructor(private readonly max: number) {}

  add(chunk: Buffer): boolean {
    const size = this.size + chunk.length;
    if (size > this.max) return false;
    if (size > this.held.length) this.grow(size);
    chunk.copy(this.held, this.size);
    this.size = size;
    return true;
  }

  all(): Buffer {
    return this.held.subarray(0, this.size);
  }

  drop(): void {
    this.held = Buffer.alloc(0);
    this.size = 0;
  }

  /** Grows by a factor of four, up to the maximum, so that all copies together are at most 4/3 of the maximum. */
  private grow(needed: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, Math.min(4 * this.held.length, this.max)));
    this.held.copy(grown, 0, 0, this.size);
    this.held = grown;
  }
}

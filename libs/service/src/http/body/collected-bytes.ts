/**
 * Bytes that come in pieces, kept in one piece: a mebibyte that comes byte by byte would be a million buffers, of a
 * hundred bytes and more each.
 */
export class CollectedBytes {
  private held = Buffer.alloc(0);
  private size = 0;

  get length(): number {
    return this.size;
  }

  constructor(private readonly max: number) {}

  /** @returns false where it would be more than the maximum. */
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

  /** Growing four times makes the copies together no more than a third of the whole. */
  private grow(needed: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, Math.min(4 * this.held.length, this.max)));
    this.held.copy(grown, 0, 0, this.size);
    this.held = grown;
  }
}

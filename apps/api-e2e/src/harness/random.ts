/** Pseudo-random numbers from a seed, so that a run can be repeated: mulberry32. */
export class Random {
  constructor(private state: number) {}

  /** From 0 to below 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let bits = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** From 0 to below `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  of<T>(choices: readonly [T, ...T[]] | readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }

  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.below(256)));
  }
}

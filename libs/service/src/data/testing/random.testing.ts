/** Pseudorandom numbers that depend on the seed alone (mulberry32). */
export class Random {
  constructor(private state: number) {}

  /** 0 ≤ x < 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Integer, 0 ≤ x < bound. */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }
}

interface Line<T> {
  items: T[];
  /** What the holder has used of what all of them share, in any unit. */
  used: number;
}

/**
 * What waits for something that all share, such as the main thread: in the order of arrival for each holder, and the
 * holder that has used the least goes first. Without {@link charge} the holders take turns.
 * @typeParam T what waits: a request, or a job.
 */
export class FairQueue<T> {
  private readonly lines = new Map<string, Line<T>>();
  /** What the holder that was served last had used: a new one begins there, and has no right to what is past. */
  private level = 0;
  /** How many wait; written here only. */
  size = 0;

  /** @param holder for whom it waits, such as a credential. */
  push(holder: string, item: T): void {
    this.lineOf(holder).items.push(item);
    this.size += 1;
  }

  /** The same for something that goes on: behind those at the front that go on as well, and before the others. */
  pushEarly(holder: string, item: T, goesOn: (other: T) => boolean): void {
    const { items } = this.lineOf(holder);
    const behind = items.findIndex((other) => !goesOn(other));
    items.splice(behind === -1 ? items.length : behind, 0, item);
    this.size += 1;
  }

  /**
   * Takes one of the holder that has used the least.
   * @param choose the index of the one that a holder may go on with; undefined where it may not go on. The first one where it is
   *   left out.
   * @returns undefined where nothing waits whose holder may go on.
   */
  shift(choose: (holder: string, items: readonly T[]) => number | undefined = () => 0): T | undefined {
    let least: readonly [holder: string, line: Line<T>, index: number] | undefined;
    for (const [holder, line] of this.lines) {
      if (line.items.length === 0) {
        if (line.used <= this.level) this.lines.delete(holder);
      } else if (least === undefined || line.used < least[1].used) {
        const index = choose(holder, line.items);
        if (index !== undefined) least = [holder, line, index];
      }
    }
    if (least === undefined) return undefined;
    const [holder, line, index] = least;
    this.level = Math.max(this.level, line.used);
    this.size -= 1;
    // Behind those that have used as much.
    this.lines.delete(holder);
    this.lines.set(holder, line);
    return line.items.splice(index, 1)[0];
  }

  /** Says what a holder has used, such as the milliseconds of a request. */
  charge(holder: string, amount: number): void {
    this.lineOf(holder).used += amount;
  }

  /** Takes out all that wait and match; each is asked for once. */
  take(matches: (item: T) => boolean): T[] {
    const taken: T[] = [];
    for (const line of this.lines.values()) {
      const kept: T[] = [];
      for (const item of line.items) (matches(item) ? taken : kept).push(item);
      line.items = kept;
    }
    this.size -= taken.length;
    return taken;
  }

  private lineOf(holder: string): Line<T> {
    let line = this.lines.get(holder);
    if (line === undefined) this.lines.set(holder, (line = { items: [], used: this.level }));
    else if (line.items.length === 0) line.used = Math.max(line.used, this.level);
    return line;
  }
}

interface Line<T> {
  items: T[];
  /** Used amount of the shared resource, in the unit of {@link FairQueue.charge}. */
  used: number;
}

/**
 * A queue for a shared resource, such as the main thread. The holder (user) that has used the least goes first. Items
 * of one holder are first in, first out. Holders that are never charged take turns.
 */
export class FairQueue<T> {
  private readonly lines = new Map<string, Line<T>>();
  /** Highest usage of a served holder. New and returning holders start here, so that idle time gives no priority. */
  private level = 0;
  /** Number of queued items; read-only from outside. */
  size = 0;

  push(holder: string, item: T): void {
    this.lineOf(holder).items.push(item);
    this.size += 1;
  }

  /** Queues an item that continues earlier work: after other such items of its holder, but before new work. */
  pushEarly(holder: string, item: T, continues: (other: T) => boolean): void {
    const { items } = this.lineOf(holder);
    const behind = items.findIndex((other) => !continues(other));
    items.splice(behind === -1 ? items.length : behind, 0, item);
    this.size += 1;
  }

  /**
   * Removes and returns an item of the holder that has used the least and may run; undefined if no holder may run.
   * @param choose returns the index of the item to run, or undefined if the holder may not run. Default: the first
   *   item.
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
    // Re-insertion moves the holder behind others with equal usage.
    this.lines.delete(holder);
    this.lines.set(holder, line);
    return line.items.splice(index, 1)[0];
  }

  charge(holder: string, amount: number): void {
    this.lineOf(holder).used += amount;
  }

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

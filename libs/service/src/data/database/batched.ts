import { isUnavailable } from './database-unavailable.js';

export const ROWS_PER_BATCH = 8;

interface WaitingItem<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/** Batches items added in one turn of the event loop. Few sizes (8, 4, 2, 1) need few prepared statements. ADR 70 */
export class Batched<Item, Result> {
  private waiting: WaitingItem<Item, Result>[] = [];
  inFlight = 0;

  /** @param work Returns a result for each item. Work that throws must have written nothing. */
  constructor(private readonly work: (items: readonly Item[]) => Promise<readonly Result[]>) {}

  add(item: Item): Promise<Result> {
    this.inFlight += 1;
    return new Promise((resolve, reject) => {
      if (this.waiting.push({ item, resolve, reject }) === 1) setImmediate(this.begin);
    });
  }

  private readonly begin = (): void => {
    const all = this.waiting;
    this.waiting = [];
    for (let begin = 0, size = ROWS_PER_BATCH; begin < all.length; begin += size) {
      while (size > all.length - begin) size /= 2;
      void this.run(all.slice(begin, begin + size));
    }
  };

  private async run(waiting: readonly WaitingItem<Item, Result>[]): Promise<void> {
    try {
      const results = await this.work(waiting.map(({ item }) => item));
      this.inFlight -= waiting.length;
      for (const [index, { resolve }] of waiting.entries()) resolve(results[index] as Result);
    } catch (error) {
      // An outage affects all items. Any other error may be the fault of one item, so each item is retried alone.
      if (waiting.length > 1 && !isUnavailable(error)) {
        for (const each of waiting) void this.run([each]);
        return;
      }
      this.inFlight -= waiting.length;
      for (const { reject } of waiting) reject(error);
    }
  }
}

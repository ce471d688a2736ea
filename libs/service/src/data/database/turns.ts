import { FairQueue } from '@items/conventions';

interface Waiting {
  readonly owner: string;
  readonly begin: () => void;
}

/** Work that costs much: some at once, of each owner one at a time. Of those who wait, who has used least time is next. */
export class Turns {
  private free: number;
  private readonly atWork = new Set<string>();
  private readonly waiting = new FairQueue<Waiting>();

  /** @param atOnce how many are at work, of all owners. @param tooLate what is thrown at the deadline. */
  constructor(
    atOnce: number,
    private readonly tooLate: () => Error,
  ) {
    this.free = atOnce;
  }

  /**
   * Does the work when its turn has come. At the deadline the caller gets an error, also while the work goes on; its place
   * is free when the work has ended.
   * @param deadlineMs on the clock of `performance`.
   */
  run<Result>(owner: string, deadlineMs: number, work: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.take((other) => other === waiting);
        reject(this.tooLate());
      }, deadlineMs - performance.now());
      const begin = (): void => {
        const beganAtMs = performance.now();
        void work()
          .then(resolve, reject)
          .finally(() => {
            clearTimeout(timer);
            this.waiting.charge(owner, performance.now() - beganAtMs);
            this.end(owner);
          });
      };
      const waiting: Waiting = { owner, begin };
      this.waiting.push(owner, waiting);
      this.beginNext();
    });
  }

  private beginNext(): void {
    while (this.free > 0) {
      const next = this.waiting.shift((owner) => (this.atWork.has(owner) ? undefined : 0));
      if (next === undefined) return;
      this.free -= 1;
      this.atWork.add(next.owner);
      next.begin();
    }
  }

  private end(owner: string): void {
    this.free += 1;
    this.atWork.delete(owner);
    this.beginNext();
  }
}

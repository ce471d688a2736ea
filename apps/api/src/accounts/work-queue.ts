/** Does a bounded number of things at once; the others wait their turn, up to a bound, beyond which they are refused. */
export class WorkQueue {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  /** @param refusal what is thrown where too many wait. */
  constructor(
    private readonly concurrency: number,
    private readonly maxWaiting: number,
    private readonly refusal: () => Error,
  ) {}

  get isIdle(): boolean {
    return this.running === 0;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= this.concurrency) await this.turn();
    else this.running++;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.running--;
      else next();
    }
  }

  /** Whoever ends hands its place over. */
  private turn(): Promise<void> {
    if (this.waiting.length >= this.maxWaiting) throw this.refusal();
    return new Promise((resolve) => {
      this.waiting.push(resolve);
    });
  }
}

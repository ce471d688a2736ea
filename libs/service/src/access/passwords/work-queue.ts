/** How many wait at most, and for how long. */
export interface QueueBounds {
  /** Of one client. */
  readonly perClient: number;
  readonly inAll: number;
  readonly waitMs: number;
}

interface Waiting {
  readonly sinceMs: number;
  readonly begin: () => void;
  readonly refuse: () => void;
}

/**
 * Does a bounded number of things at once; the others wait, up to a bound of their number and of their time, beyond which they are refused.
 * Clients take turns: one that asks a hundred times waits for itself, and keeps another one waiting for no more than one thing.
 * @example
 * const queue = new WorkQueue(2, { perClient: 10, inAll: 100, waitMs: 4000 }, () => new Error('busy'));
 * await queue.run(() => work(), request.ip);
 */
export class WorkQueue {
  private running = 0;
  private waiting = 0;
  /** What waits, by client; the client whose turn comes next stands first. */
  private readonly clients = new Map<string, Waiting[]>();

  /** @param refusal what is thrown where too many wait, or one has waited for too long. */
  constructor(
    private readonly concurrency: number,
    private readonly bounds: QueueBounds,
    private readonly refusal: () => Error,
  ) {}

  get isIdle(): boolean {
    return this.running === 0;
  }

  /**
   * @param client for whom the work is done; left out where all callers are one.
   * @param sinceMs when its wait began, on the clock of `performance`: now, or in a queue before.
   */
  async run<T>(work: () => Promise<T>, client = '', sinceMs = performance.now()): Promise<T> {
    if (this.running >= this.concurrency) await this.turn(client, sinceMs);
    else this.running++;
    try {
      return await work();
    } finally {
      this.toTheEnd(client);
      this.refuseLate();
      const next = this.next();
      if (next === undefined) this.running--;
      else next.begin();
    }
  }

  /** A task that ends hands its place over. */
  private turn(client: string, sinceMs: number): Promise<void> {
    const own = this.clients.get(client) ?? [];
    if (own.length >= this.bounds.perClient || this.waiting >= this.bounds.inAll) throw this.refusal();
    this.clients.set(client, own);
    this.waiting++;
    return new Promise((begin, reject) => {
      own.push({ sinceMs, begin, refuse: () => reject(this.refusal()) });
    });
  }

  /** Looked at when a task ends: while tasks wait, that is soon. */
  private refuseLate(): void {
    const latestMs = performance.now() - this.bounds.waitMs;
    for (const [client, own] of this.clients) {
      while (own[0] !== undefined && own[0].sinceMs < latestMs) {
        own.shift()?.refuse();
        this.waiting--;
      }
      if (own.length === 0) this.clients.delete(client);
    }
  }

  private next(): Waiting | undefined {
    const [first] = this.clients;
    if (first === undefined) return undefined;
    const [client, own] = first;
    const next = own.shift();
    this.waiting--;
    this.toTheEnd(client);
    return next;
  }

  /** A client has had a turn: the others come first. One for which nothing waits is forgotten. */
  private toTheEnd(client: string): void {
    const own = this.clients.get(client);
    if (own === undefined) return;
    this.clients.delete(client);
    if (own.length > 0) this.clients.set(client, own);
  }
}

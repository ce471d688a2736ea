/** How many wait at most. */
export interface QueueBounds {
  /** Of one client. */
  readonly perClient: number;
  readonly inAll: number;
}

/**
 * Does a bounded number of things at once; the others wait, up to a bound, beyond which they are refused. Clients take
 * turns: one that asks a hundred times waits for itself, and keeps another one waiting for no more than one thing.
 * @example
 * const queue = new WorkQueue(2, { perClient: 10, inAll: 100 }, () => new Error('busy'));
 * await queue.run(() => work(), request.ip);
 */
export class WorkQueue {
  private running = 0;
  private waiting = 0;
  /** What waits, by client; the client whose turn comes next stands first. */
  private readonly clients = new Map<string, (() => void)[]>();

  /** @param refusal what is thrown where too many wait. */
  constructor(
    private readonly concurrency: number,
    private readonly bounds: QueueBounds,
    private readonly refusal: () => Error,
  ) {}

  get isIdle(): boolean {
    return this.running === 0;
  }

  /** @param client for whom the work is done; left out where all callers are one. */
  async run<T>(work: () => Promise<T>, client = ''): Promise<T> {
    if (this.running >= this.concurrency) await this.turn(client);
    else this.running++;
    try {
      return await work();
    } finally {
      this.toTheEnd(client);
      const next = this.next();
      if (next === undefined) this.running--;
      else next();
    }
  }

  /** A task that ends hands its place over. */
  private turn(client: string): Promise<void> {
    const own = this.clients.get(client) ?? [];
    if (own.length >= this.bounds.perClient || this.waiting >= this.bounds.inAll) throw this.refusal();
    this.clients.set(client, own);
    this.waiting++;
    return new Promise((resolve) => {
      own.push(resolve);
    });
  }

  private next(): (() => void) | undefined {
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

export interface QueueBounds {
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
 * Runs tasks with limited concurrency from a bounded queue. Clients take turns: a hundred tasks of one client delay
 * another client by at most one task.
 */
export class WorkQueue {
  private running = 0;
  private waiting = 0;
  /** Waiting tasks by client, the next client first. */
  private readonly clients = new Map<string, Waiting[]>();

  constructor(
    private readonly concurrency: number,
    private readonly bounds: QueueBounds,
    private readonly refusal: () => Error,
  ) {}

  get isIdle(): boolean {
    return this.running === 0;
  }

  /** @param sinceMs Start of the wait by `performance.now()`, including earlier queues. */
  async run<T>(work: () => Promise<T>, client = '', sinceMs = performance.now()): Promise<T> {
    if (this.running >= this.concurrency) await this.waitForSlot(client, sinceMs);
    else this.running++;
    try {
      return await work();
    } finally {
      this.moveToEnd(client);
      this.refuseLate();
      const next = this.next();
      if (next === undefined) this.running--;
      else next.begin();
    }
  }

  private waitForSlot(client: string, sinceMs: number): Promise<void> {
    const own = this.clients.get(client) ?? [];
    if (own.length >= this.bounds.perClient || this.waiting >= this.bounds.inAll) throw this.refusal();
    this.clients.set(client, own);
    this.waiting++;
    return new Promise((begin, reject) => {
      own.push({ sinceMs, begin, refuse: () => reject(this.refusal()) });
    });
  }

  /** Refuses tasks that waited too long. Runs at the end of each task, so no timer is needed. */
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
    this.moveToEnd(client);
    return next;
  }

  /** Moves a client behind the others, or removes a client without waiting tasks. */
  private moveToEnd(client: string): void {
    const own = this.clients.get(client);
    if (own === undefined) return;
    this.clients.delete(client);
    if (own.length > 0) this.clients.set(client, own);
  }
}

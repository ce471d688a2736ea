import { refused, type ModelOfService, type Reply } from './model-of-service.testing.js';
import type { Seeded } from './seeded.testing.js';
import type { VirtualTime } from './virtual-time.testing.js';

/** One run of the simulated program. After its end, its requests and writes have no effect. */
export interface Life {
  isOver: boolean;
  /** Number of requests without a response. */
  open: number;
  readonly sentAtMs: number[];
}

export class FaultyNetwork {
  /** Probability of a fault per request. */
  faults = 0;
  isDown = false;
  /** Quota per 60 s; undefined: no quota. */
  limit: number | undefined;
  private readonly sentAtMs: number[] = [];

  constructor(
    private readonly time: VirtualTime,
    private readonly random: Seeded,
    private readonly service: ModelOfService,
  ) {}

  /** Creates the `fetch` of a program. @param instead Responses to its next requests. */
  fetchOf(life: Life, instead: Reply[] = []): typeof fetch {
    return async (input, init) => {
      if (isOver(life)) return never();
      life.open += 1;
      life.sentAtMs.push(this.time.nowMs);
      try {
        const reply = await Promise.race([this.exchange(input as string, life, instead), aborted(init?.signal)]);
        return isOver(life) ? await never() : responseOf(reply);
      } finally {
        life.open -= 1;
      }
    };
  }

  private requireLink(): void {
    if (this.isDown) throw new TypeError('fetch failed');
  }

  private async exchange(path: string, life: Life, instead: Reply[]): Promise<Reply | 'cut'> {
    await this.time.sleep(this.random.between(1, 150));
    this.requireLink();
    const fault = this.random.chance(this.faults) ? this.random.pick(FAULTS) : undefined;
    if (fault === 'refused') throw new TypeError('fetch failed');
    if (fault === 'silent') return never();
    if (typeof fault === 'object') return fault;
    const reply = this.quota() ?? instead.shift() ?? (await this.service.respond(path, () => isOver(life)));
    await this.time.sleep(this.random.between(1, 150));
    this.requireLink();
    if (fault === 'lost') throw new TypeError('terminated');
    if (fault === 'cut') return fault;
    return this.limit === undefined ? reply : { ...reply, headers: { ...this.quotaHeaders(), ...reply.headers } };
  }

  private quota(): Reply | undefined {
    if (this.limit === undefined) return undefined;
    const windowMs = Math.floor(this.time.nowMs / 60_000) * 60_000;
    this.sentAtMs.push(this.time.nowMs);
    const used = this.sentAtMs.filter((atMs) => atMs >= windowMs).length;
    return used > this.limit ? refused(429, 'rate_limited', { 'retry-after': '60' }) : undefined;
  }

  private quotaHeaders(): Record<string, string> {
    const resetMs = 60_000 - (this.time.nowMs % 60_000);
    return { 'x-ratelimit-limit': String(this.limit), 'x-ratelimit-reset': String(Math.ceil(resetMs / 1000)) };
  }
}

const FAULTS = [
  'refused',
  'lost',
  'cut',
  'silent',
  refused(429, 'rate_limited', { 'retry-after': '3' }),
  refused(503, 'unavailable', { 'retry-after': '40' }),
  refused(503, 'events_incomplete'),
  refused(500, 'internal_error'),
  refused(502, 'bad_gateway'),
  refused(404, 'route_not_found'),
] as const;

/** A function rather than a direct read, because the value may change during any `await`. */
function isOver(life: Life): boolean {
  return life.isOver;
}

function responseOf(reply: Reply | 'cut'): Response {
  const text = reply === 'cut' ? '{"events": [{"type": "item.del' : JSON.stringify(reply.body);
  const { status, headers = {} } = reply === 'cut' ? { status: 200 } : reply;
  const chunks = [new TextEncoder().encode(text)];
  const reader = { read: () => Promise.resolve({ done: chunks.length === 0, value: chunks.pop() }) };
  const body = { getReader: () => reader };
  return { status, type: 'default', headers: new Headers(headers), body } as unknown as Response;
}

function never(): Promise<never> {
  return new Promise<never>(() => undefined);
}

function aborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void => reject(signal?.reason as Error);
    if (signal?.aborted === true) fail();
    signal?.addEventListener('abort', fail);
  });
}

import { setTimeout as sleep } from 'node:timers/promises';

import type { Item } from '@items/dtos/contract';
import { Answer, HttpClient, itemInput, type RequestOptions } from '@items/testing';

import type { Random } from '../harness/random.js';
import type { History, Member } from './history.js';
import type { Operation } from './linearize.js';

/**
 * Operations on a member before a client creates a new one. Few, because the search in `linearize.ts` takes longer with
 * each.
 */
const OPERATIONS = 60;
/** Number of members that clients use at a time. Few, so that operations overlap. */
const SHARED = 4;
const RETRY_MS = 100;
/** Timeout of requests, longer than any pause of an instance. */
const PATIENCE_MS = 40_000;

const OUTCOMES: Readonly<Record<number, Operation['outcome']>> = {
  200: 'done',
  204: 'done',
  404: 'absent',
  412: 'mismatch',
  503: 'refused',
};

interface Response {
  /** 0 if there was no response. */
  readonly status: number;
  readonly body: Partial<Item> & { readonly total?: number };
  readonly etag?: string | undefined;
  /** False if the connection was refused. */
  readonly wasSent: boolean;
  readonly begun: number;
  readonly ended: number;
}

/** A client that works on shared members, and records each operation with its times and its outcome. */
export class HistoryClient {
  private readonly clients: readonly HttpClient[];

  /** @param addresses of the instances, which it uses in random order. */
  constructor(
    private readonly history: History,
    private readonly random: Random,
    addresses: readonly string[],
    key: string,
  ) {
    // No retries: a repeated request could have two effects, and would be recorded as one.
    const options = { timeoutMs: PATIENCE_MS, resends: false, headers: [['X-API-Key', key]] as const };
    this.clients = addresses.map((baseUrl) => new HttpClient({ baseUrl, ...options }));
  }

  async work(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const open = this.history.members.filter(({ operations }) => operations.length < OPERATIONS).slice(-SHARED);
      const member = open[this.random.below(open.length)];
      if (member === undefined || (open.length < SHARED && this.random.next() < 0.2)) await this.create(isOver);
      else await this.use(member, this.random.next());
      await sleep(this.random.below(10));
    }
  }

  private async use(member: Member, dice: number): Promise<void> {
    if (dice < 0.4) await this.read(member);
    else if (dice < 0.62) await this.write(member, 'replace');
    else if (dice < 0.93) await this.write(member, 'replace', [...member.tags].at(-1 - this.random.below(2)));
    else if (dice < 0.98) await this.readTotal();
    else await this.write(member, 'delete');
  }

  /** Repeats a creation with its Idempotency-Key until it is acknowledged, and sometimes once more. */
  private async create(isOver: () => boolean): Promise<void> {
    const { color, unknownCreations, members, problems } = this.history;
    const value = this.history.nextValue();
    const options = { json: this.bodyOf(value), headers: [['Idempotency-Key', `${color}-${value}`]] as const };
    const begun = performance.now();
    const creation: Operation = { kind: 'create', value, outcome: 'unknown', begun, ended: Infinity };
    unknownCreations.push(creation);
    for (;;) {
      const response = await this.send('POST', '/items', options);
      if (response.status === 201) {
        unknownCreations.splice(unknownCreations.indexOf(creation), 1);
        Object.assign(creation, { outcome: 'done', ended: response.ended });
        const id = String(response.body.id);
        const member: Member = { id, operations: [creation], tags: new Map(), seen: new Map() };
        this.see(member, response);
        members.push(member);
        if (this.random.next() < 0.5) await this.repeat(options, id);
        return;
      }
      if (isOver()) return;
      if (![0, 408, 409, 429, 503].includes(response.status)) problems.push(`a creation got ${response.status}`);
      await sleep(RETRY_MS);
    }
  }

  private async repeat(options: RequestOptions, id: string): Promise<void> {
    const { status, body } = await this.send('POST', '/items', options);
    if (status === 201 && body.id !== id)
      this.history.problems.push(`the repetition of a creation created ${String(body.id)} beside ${id}`);
  }

  private async read(member: Member): Promise<void> {
    const response = await this.send('GET', `/items/${member.id}`);
    const { status, body, begun, ended } = response;
    if (status !== 200 && status !== 404) return;
    this.see(member, response);
    if (this.history.readsStandbys) return;
    const value = status === 200 ? { value: valueOf(body) } : {};
    member.operations.push({ kind: 'read', outcome: 'done', begun, ended, ...value });
  }

  /** @param expected an entity tag for `If-Match`, and the value that it identifies. */
  private async write(
    member: Member,
    kind: 'replace' | 'delete',
    expected?: readonly [tag: string, value: string],
  ): Promise<void> {
    const value = kind === 'replace' ? this.history.nextValue() : undefined;
    const operation: Operation = {
      kind,
      outcome: 'unknown',
      begun: performance.now(),
      ended: Infinity,
      ...(value !== undefined && { value }),
      ...(expected && { expected: expected[1] }),
    };
    member.operations.push(operation);
    const method = kind === 'replace' ? 'PUT' : 'DELETE';
    const response = await this.send(method, `/items/${member.id}`, {
      ...(value !== undefined && { json: this.bodyOf(value) }),
      ...(expected && { headers: [['If-Match', expected[0]]] }),
    });
    const { status, wasSent, begun, ended } = response;
    const outcome = OUTCOMES[status];
    if (outcome !== undefined) Object.assign(operation, { outcome, begun, ended });
    else if (status !== 0 || !wasSent) {
      member.operations.splice(member.operations.indexOf(operation), 1);
      if (![0, 408, 409, 429].includes(status)) this.history.problems.push(`${method} got ${status}`);
    }
    if (outcome === 'done' || outcome === 'absent') this.see(member, response);
  }

  private async readTotal(): Promise<void> {
    const { color, totals, readsStandbys } = this.history;
    const { status, body, begun, ended } = await this.send('GET', `/items?color=${color}&per_page=1`);
    if (status === 200 && !readsStandbys) totals.push({ total: body.total ?? NaN, begun, ended });
  }

  private async send(method: string, target: string, options?: RequestOptions): Promise<Response> {
    const client = this.random.of(this.clients);
    this.history.requests += 1;
    const begun = performance.now();
    const answer = await client.send(method, target, options).catch((error: unknown) => error as NodeJS.ErrnoException);
    const times = { begun, ended: performance.now() };
    if (answer instanceof Answer) {
      const body = answer.text === '' ? {} : (answer.json() as Response['body']);
      return { status: answer.status, body, etag: answer.header('etag'), wasSent: true, ...times };
    }
    this.history.unanswered += 1;
    await sleep(RETRY_MS);
    return { status: 0, body: {}, wasSent: answer.code !== 'ECONNREFUSED', ...times };
  }

  /** Records the state that this client has seen, and checks that each entity tag has one value. */
  private see(member: Member, { status, body, etag }: Response): void {
    const seen = member.seen.get(this) ?? [];
    member.seen.set(this, seen);
    const isGone = status === 204 || status === 404;
    seen.push({ isGone, ...(!isGone && { at: String(body.updated_at) }) });
    if (isGone || etag === undefined) return;
    const value = valueOf(body);
    const known = member.tags.get(etag) ?? value;
    if (known !== value)
      this.history.problems.push(`the tag ${etag} of ${member.id} stands for ${known} and for ${value}`);
    member.tags.set(etag, value);
  }

  private bodyOf(value: string): object {
    return itemInput({ color: this.history.color, price: Number(value) });
  }
}

function valueOf({ price }: Partial<Item>): string {
  return String(price);
}

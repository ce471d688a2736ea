import { setTimeout as sleep } from 'node:timers/promises';

import type { Item } from '@items/dtos/contract';
import type { CursorPage, OffsetPage } from '@items/conventions';
import type { Answer, HttpClient } from '@items/testing';
import { freshColor, itemInput } from '@items/testing';

interface Known {
  readonly item: Item;
  readonly etag: string;
}

/** A response that contradicts the reader's own writes. */
export class WrongReadError extends Error {}

/** Statuses of reads while a database server is down and not yet replaced. Such reads are repeated. */
const AWAY = new Set([500, 502, 503]);
const pick = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)]!;

/** A client that writes items of its own colour on any instance, and knows the correct response to each read. */
export class OwnItems {
  private readonly color = freshColor();
  private readonly known = new Map<string, Known>();
  private readonly gone: string[] = [];
  reads = 0;

  /** @param clients one for each instance, all with the same credential. */
  constructor(private readonly clients: readonly HttpClient[]) {}

  /** Does one write and some reads. @throws {WrongReadError} */
  async round(): Promise<void> {
    await this.write();
    for (let reads = 0; reads < 8; reads += 1) await pick([this.readOne, this.readGone, this.readTotal, this.walk])();
  }

  private async write(): Promise<void> {
    const input = itemInput({
      color: this.color,
      price: Math.floor(Math.random() * 20),
      name: `N ${String(this.reads)}`,
    });
    const known = [...this.known.keys()];
    const kind = known.length < 5 ? 0 : known.length > 40 ? 2 : pick([0, 1, 1, 2]);
    if (kind === 2) {
      const id = pick(known);
      await this.expectWritten(this.client.delete(`/items/${id}`), 204);
      this.known.delete(id);
      this.gone.push(id);
      return;
    }
    const written =
      kind === 0
        ? await this.expectWritten(this.client.post('/items', input), 201)
        : await this.expectWritten(this.client.put(`/items/${pick(known)}`, input), 200);
    const item = written.json() as Item;
    this.known.set(item.id, { item, etag: written.header('etag') ?? '' });
  }

  private readonly readOne = async (): Promise<void> => {
    const [id, { item, etag }] = pick([...this.known]);
    const read = await this.retryRead(() => this.client.get(`/items/${id}`));
    this.same('an item', [read.status, read.header('etag'), read.json()], [200, etag, item]);
    const again = await this.retryRead(() => this.client.get(`/items/${id}`, ['If-None-Match', etag]));
    this.same('a 304', again.status, 304);
  };

  private readonly readGone = async (): Promise<void> => {
    const id = this.gone.at(-1);
    if (id === undefined) return;
    this.same('a deleted item', (await this.retryRead(() => this.client.get(`/items/${id}`))).status, 404);
  };

  private readonly readTotal = async (): Promise<void> => {
    const read = await this.retryRead(() => this.client.get(`/items?color=${this.color}&per_page=100`));
    const { total, items } = read.json() as OffsetPage<'items', Item>;
    this.same('a total', [total, idsOf(items)], [this.known.size, idsOf(this.items())]);
  };

  /** Walks through the items, each page from any instance, and writes between the pages. */
  private readonly walk = async (): Promise<void> => {
    const then = new Map(this.items().map((item) => [item.id, item]));
    const seen: Item[] = [];
    const sort = pick(['price', '-updated_at', 'name', '-created_at']);
    for (let cursor: string | undefined, page = 0; page === 0 || cursor !== undefined; page += 1) {
      const after = cursor === undefined ? '' : `&cursor=${cursor}`;
      const target = `/items?color=${this.color}&sort=${sort}&limit=7${after}`;
      const read = await this.retryRead(() => this.client.get(target));
      this.same('a page of a walk', [read.status, read.status === 200 ? '' : read.text], [200, '']);
      const body = read.json() as CursorPage<'items', Item>;
      seen.push(...body.items);
      cursor = body.next_cursor;
      if (page < 3) await this.write();
    }
    for (const item of seen) this.same('an item of a walk', item, then.get(item.id));
    this.same('a walk without repetition', new Set(idsOf(seen)).size, seen.length);
    const missing = [...then.keys()].filter((id) => this.known.has(id) && !seen.some((item) => item.id === id));
    this.same('a walk without gaps', missing, []);
  };

  private get client(): HttpClient {
    return pick(this.clients);
  }

  private items(): Item[] {
    return [...this.known.values()].map(({ item }) => item);
  }

  /** Checks a write, which needs all servers: without a response, its effect would be unknown. */
  private async expectWritten(answer: Promise<Answer>, status: number): Promise<Answer> {
    const received = await answer;
    this.same('a write', received.status, status);
    return received;
  }

  /** Repeats a read while a server is down. */
  private async retryRead(ask: () => Promise<Answer>): Promise<Answer> {
    for (;;) {
      this.reads += 1;
      const answer = await ask();
      if (!AWAY.has(answer.status)) return answer;
      await sleep(100);
    }
  }

  private same(what: string, found: unknown, wanted: unknown): void {
    if (JSON.stringify(found) === JSON.stringify(wanted)) return;
    throw new WrongReadError(`Not ${what} as it was written: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
  }
}

function idsOf(items: readonly Item[]): string[] {
  return items.map(({ id }) => id).sort();
}

import { setTimeout as sleep } from 'node:timers/promises';

import type { Item } from '@items/dtos/contract';
import type { CursorPage } from '@items/conventions';
import type { PlainClient } from '@items/testing';

import type { Tally } from './tally.js';
import type { Writers } from './writers.js';

const SORTS = ['name', '-price', '-updated_at', 'created_at'];
const PAGE = 50;
const PAUSE_MS = 10;
const RETRY_MS = 100;
const MOST_TRIES = 600;

type Page = CursorPage<'items', Item>;

/**
 * Clients that walk over the items of the writers. Each walk must return, exactly once and in order, each item that
 * was acknowledged before the walk began, and no item that was requested after its first page. SPEC §4
 */
export class Walkers {
  walks = 0;
  /** As sentences. */
  readonly violations: string[] = [];
  private isStopped = false;
  private done: Promise<unknown> | undefined;

  constructor(
    private readonly client: PlainClient,
    private readonly tally: Tally,
    private readonly writers: Writers,
  ) {}

  start(count: number): void {
    this.done = Promise.all(
      Array.from({ length: count }, async (_, walker) => {
        for (let n = walker; !this.isStopped; n += 1) await this.walk(SORTS[n % SORTS.length] ?? 'name');
      }),
    );
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.done;
  }

  /** Runs a last walk after the writers have ended. @returns the names of all items. */
  async last(): Promise<string[]> {
    const rows = await this.pages('name', () => undefined);
    if (rows === undefined) throw new Error(`The last walk failed: ${this.violations.join(', ')}`);
    return rows.map(({ name }) => name);
  }

  private async walk(sort: string): Promise<void> {
    const before = new Set(this.writers.acknowledged.keys());
    let begun = new Set<string>();
    const rows = await this.pages(sort, () => (begun = new Set(this.writers.begun)));
    if (rows === undefined) return;
    this.walks += 1;
    const names = rows.map(({ name }) => name);
    const seen = new Set(names);
    const violated = (what: string): unknown => this.violations.push(`a walk by ${sort}: ${what}`);
    if (seen.size < names.length) violated(`${names.length - seen.size} rows twice`);
    const missing = [...before].filter((name) => !seen.has(name));
    if (missing.length > 0) violated(`${missing.length} rows missing, such as "${missing[0]!}"`);
    const early = names.filter((name) => !begun.has(name));
    if (early.length > 0) violated(`${early.length} rows that were made after its first page, such as "${early[0]!}"`);
    if (!isSorted(rows, sort)) violated('not in order');
  }

  /**
   * @param onFirst called after the first page.
   * @returns undefined if some page was not served.
   */
  private async pages(sort: string, onFirst: () => unknown): Promise<readonly Item[] | undefined> {
    const rows: Item[] = [];
    let cursor: string | undefined = '';
    while (cursor !== undefined) {
      const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const color = encodeURIComponent(this.writers.color);
      const page = await this.page(`/items?color=${color}&sort=${sort}&limit=${PAGE}${from}`);
      if (page === undefined) return undefined;
      if (cursor === '') onFirst();
      rows.push(...page.items);
      cursor = page.next_cursor;
      await sleep(PAUSE_MS);
    }
    return rows;
  }

  /** Requests a page until it is served or refused, or the load ends. */
  private async page(path: string): Promise<Page | undefined> {
    for (let tries = 0; tries === 0 || (tries < MOST_TRIES && !this.isStopped); tries += 1) {
      const outcome = await this.client.send('GET', path);
      if (this.tally.count(outcome, [200])) return outcome.body as unknown as Page;
      if (outcome.status === 400) {
        this.violations.push(`a page was refused: ${String(outcome.body?.error)}`);
        return undefined;
      }
      await sleep(RETRY_MS);
    }
    return undefined;
  }
}

function isSorted(rows: readonly Item[], sort: string): boolean {
  const values = rows.map((row) => (row as unknown as Record<string, string | number>)[sort.replace('-', '')]!);
  const ordered = sort.startsWith('-') ? values.toReversed() : values;
  return ordered.every((value, index) => index === 0 || ordered[index - 1]! <= value);
}

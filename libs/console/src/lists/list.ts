import type { Event, ItemsClient } from '@items/client';
import { signal } from '@preact/signals';

import type { Collection } from '../document/model.js';
import { match } from '../document/paths.js';
import { idOf, readPage, text, type Row } from '../service/rows.js';
import { hasRange, sortOf, withQuery, type ListQuery } from './list-query.js';

const START = {
  rows: [] as readonly Row[],
  isLoading: true,
  isDone: false,
  error: undefined as unknown,
  total: undefined as number | undefined,
  /** Members that others have created since the list was loaded. */
  added: 0,
};

/** A list that is read page by page, with a cursor: no row is skipped or doubled while others write. */
export class List {
  readonly state = signal(START);
  #cursor: string | undefined;
  /** Counts reloads: a response that comes after a reload is ignored. */
  #round = 0;

  constructor(
    private readonly client: ItemsClient,
    readonly collection: Collection,
    readonly path: string,
    readonly query: ListQuery,
    private readonly pageRows = 50,
  ) {}

  /** Reads the list from its beginning. @param least Number of rows, for a list that was read before. */
  async load(least = 0): Promise<void> {
    this.#round += 1;
    this.#cursor = undefined;
    this.#set({ ...START, rows: this.state.value.rows });
    await this.#read(least);
    await this.#count();
  }

  async more(): Promise<void> {
    if (!this.canGoOn) return;
    this.#set({ isLoading: true });
    await this.#read(0);
  }

  get sort(): string | undefined {
    return sortOf(this.collection, this.query);
  }

  get canGoOn(): boolean {
    const { isLoading, isDone, error } = this.state.value;
    return !isLoading && !isDone && error === undefined;
  }

  /** Shows a change of another client. */
  apply({ type, data }: Event): void {
    if (!type.startsWith(`${this.collection.singular}.`)) return;
    const row = data.object as unknown as Row;
    const { rows, added } = this.state.value;
    const index = rows.findIndex((each) => idOf(each) === idOf(row));
    if (type.endsWith('.deleted')) this.#set({ rows: rows.filter((each) => idOf(each) !== idOf(row)) });
    else if (index >= 0) this.#set({ rows: rows.with(index, { ...rows[index], ...row }) });
    else if (type.endsWith('.created') && this.#isWanted(row)) this.#set({ added: added + 1 });
  }

  async #read(least: number): Promise<void> {
    const round = this.#round;
    const query = { ...this.query, sort: this.sort, limit: this.pageRows };
    try {
      do {
        const page = await readPage(this.client, this.path, { ...query, cursor: this.#cursor });
        if (round !== this.#round) return;
        const rows = this.#cursor === undefined ? page.rows : [...this.state.value.rows, ...page.rows];
        this.#cursor = page.cursor;
        const isDone = page.cursor === undefined;
        this.#set({ rows, isDone, isLoading: !isDone && rows.length < least });
      } while (this.state.value.isLoading);
    } catch (error) {
      if (round === this.#round) this.#set({ error, isLoading: false });
    }
  }

  /** Reads the total. It comes after the rows. */
  async #count(): Promise<void> {
    const round = this.#round;
    const { rows, isDone, isLoading, error } = this.state.value;
    const hasTotal = this.collection.hasTotal && !hasRange(this.collection, this.query);
    if (!hasTotal || isLoading || error !== undefined) return;
    if (isDone) return this.#set({ total: rows.length });
    const query = { ...this.query, sort: undefined, per_page: 1 };
    const page = await readPage(this.client, this.path, query).catch(() => undefined);
    if (round === this.#round) this.#set({ total: page?.total });
  }

  /** Whether a new member belongs into this list, as far as its filters tell. */
  #isWanted(row: Row): boolean {
    const { path, filters } = this.collection;
    const names = match(path, path)?.map((name) => text(row, name.slice(1, -1))) ?? [];
    const parents = match(path, this.path) ?? [];
    if (!parents.every((parent, index) => parent === 'me' || parent === names[index])) return false;
    return filters.every(({ name, kind, field }) => {
      const wanted = this.query[name];
      return wanted === undefined || kind !== 'equal' || wanted.split(',').includes(text(row, field));
    });
  }

  #set(change: Partial<typeof START>): void {
    this.state.value = { ...this.state.value, ...change };
  }
}

/** Number of lists that stay in memory, so that Back shows them immediately. */
const MAX_LISTS = 20;

export class Lists {
  readonly #lists = new Map<string, List>();

  constructor(private readonly client: ItemsClient) {}

  /** @param rows The least number of rows to load if the list is not in memory. */
  open(collection: Collection, path: string, query: ListQuery, rows = 0): List {
    const key = withQuery(path, query);
    const known = this.#lists.get(key);
    const list = known ?? new List(this.client, collection, path, query);
    if (known === undefined) void list.load(rows);
    // The map has the order of use.
    this.#lists.delete(key);
    this.#lists.set(key, list);
    const [oldest = ''] = this.#lists.keys();
    if (this.#lists.size > MAX_LISTS) this.#lists.delete(oldest);
    return list;
  }

  apply(event: Event): void {
    for (const list of this.#lists.values()) list.apply(event);
  }

  /** Forgets the lists of a kind of members after a change of the user's own. */
  forget({ singular }: Collection): void {
    for (const [key, { collection }] of this.#lists) if (collection.singular === singular) this.#lists.delete(key);
  }
}

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
  /** Number of members that other users have created since the list was loaded. */
  added: 0,
};

/** Reads a list page by page with a cursor, so that concurrent writes cause no skipped or duplicate rows. */
export class List {
  readonly state = signal(START);
  #cursor: string | undefined;
  /** Number of reloads. Responses from before the last reload are ignored. */
  #reloads = 0;

  constructor(
    private readonly client: ItemsClient,
    readonly collection: Collection,
    readonly path: string,
    readonly query: ListQuery,
    private readonly pageRows = 50,
  ) {}

  /** Reads the list from the start. @param least Minimum number of rows to load. */
  async load(least = 0): Promise<void> {
    this.#reloads += 1;
    this.#cursor = undefined;
    this.#set({ ...START, rows: this.state.value.rows });
    await this.#read(least);
    await this.#count();
  }

  async more(): Promise<void> {
    if (!this.canLoadMore) return;
    this.#set({ isLoading: true });
    await this.#read(0);
  }

  get sort(): string | undefined {
    return sortOf(this.collection, this.query);
  }

  get canLoadMore(): boolean {
    const { isLoading, isDone, error } = this.state.value;
    return !isLoading && !isDone && error === undefined;
  }

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
    const reloads = this.#reloads;
    const query = { ...this.query, sort: this.sort, limit: this.pageRows };
    try {
      do {
        const page = await readPage(this.client, this.path, { ...query, cursor: this.#cursor });
        if (reloads !== this.#reloads) return;
        const rows = this.#cursor === undefined ? page.rows : [...this.state.value.rows, ...page.rows];
        this.#cursor = page.cursor;
        const isDone = page.cursor === undefined;
        this.#set({ rows, isDone, isLoading: !isDone && rows.length < least });
      } while (this.state.value.isLoading);
    } catch (error) {
      if (reloads === this.#reloads) this.#set({ error, isLoading: false });
    }
  }

  /** Reads the total, after the rows. */
  async #count(): Promise<void> {
    const reloads = this.#reloads;
    const { rows, isDone, isLoading, error } = this.state.value;
    const hasTotal = this.collection.hasTotal && !hasRange(this.collection, this.query);
    if (!hasTotal || isLoading || error !== undefined) return;
    if (isDone) return this.#set({ total: rows.length });
    const query = { ...this.query, sort: undefined, per_page: 1 };
    const page = await readPage(this.client, this.path, query).catch(() => undefined);
    if (reloads === this.#reloads) this.#set({ total: page?.total });
  }

  /** Whether a new member belongs to this list, according to its path and its `equal` filters. */
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

/** Maximum number of lists in memory, so that Back shows them immediately. */
const MAX_LISTS = 20;

export class Lists {
  readonly #lists = new Map<string, List>();

  constructor(private readonly client: ItemsClient) {}

  /** @param rows Minimum number of rows to load if the list is not in memory. */
  open(collection: Collection, path: string, query: ListQuery, rows = 0): List {
    const key = withQuery(path, query);
    const known = this.#lists.get(key);
    const list = known ?? new List(this.client, collection, path, query);
    if (known === undefined) void list.load(rows);
    // Reinserts the list, so that the map is in the order of use.
    this.#lists.delete(key);
    this.#lists.set(key, list);
    const [oldest = ''] = this.#lists.keys();
    if (this.#lists.size > MAX_LISTS) this.#lists.delete(oldest);
    return list;
  }

  apply(event: Event): void {
    for (const list of this.#lists.values()) list.apply(event);
  }

  /** Removes the lists with members of the same type from memory, after the user has changed a member. */
  forget({ singular }: Collection): void {
    for (const [key, { collection }] of this.#lists) if (collection.singular === singular) this.#lists.delete(key);
  }
}

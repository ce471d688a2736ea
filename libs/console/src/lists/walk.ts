import type { Event, ItemsClient } from '@items/client';

import type { Collection } from '../document/collection.js';
import { match, parametersOf } from '../document/paths.js';
import { Store } from '../parts/store.js';
import { idOf, text, type Row } from '../service/row.js';
import { hasRange, sortOf, type ListQuery } from './list-query.js';

export interface WalkState {
  readonly rows: readonly Row[];
  readonly isLoading: boolean;
  /** All rows are loaded. */
  readonly isDone: boolean;
  readonly error: unknown;
  readonly total: number | undefined;
  /** Members that others have created since the list was loaded. */
  readonly added: number;
}

const EMPTY: WalkState = { rows: [], isLoading: true, isDone: false, error: undefined, total: undefined, added: 0 };
const PAGE_ROWS = 50;

/** A list that is read page by page, with a cursor: no row is skipped or doubled while others write. */
export class Walk {
  readonly state = new Store<WalkState>(EMPTY);
  #cursor: string | undefined;
  /** Counts reloads: a response that comes after a reload is ignored. */
  #round = 0;

  /** @param path Of the service, without a slash before it. */
  constructor(
    private readonly client: ItemsClient,
    readonly collection: Collection,
    readonly path: string,
    readonly query: ListQuery,
    private readonly pageRows = PAGE_ROWS,
  ) {}

  /** Reloads the list. @param rows The least number of rows, for a list that was read before. */
  async load(rows = 0): Promise<void> {
    this.#round += 1;
    const round = this.#round;
    this.#cursor = undefined;
    this.#set({ ...EMPTY, rows: this.state.value.rows });
    do {
      await this.#read(round);
    } while (round === this.#round && this.state.value.rows.length < rows && this.#canGoOn());
    if (round !== this.#round) return;
    this.#set({ isLoading: false });
    void this.#count(round);
  }

  /** Loads the next page. */
  async more(): Promise<void> {
    if (this.state.value.isLoading || !this.#canGoOn()) return;
    this.#set({ isLoading: true });
    const round = this.#round;
    await this.#read(round);
    if (round === this.#round) this.#set({ isLoading: false });
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

  #canGoOn(): boolean {
    const { isDone, error } = this.state.value;
    return !isDone && error === undefined;
  }

  async #read(round: number): Promise<void> {
    const isFirst = this.#cursor === undefined;
    const sort = sortOf(this.collection, this.query);
    const query = { ...this.query, ...(sort !== undefined && { sort }), limit: this.pageRows };
    const lists = this.client.collection<Row>(this.path);
    try {
      const page = await lists.page({ ...query, ...(this.#cursor !== undefined && { cursor: this.#cursor }) });
      if (round !== this.#round) return;
      const rows = page[this.collection.listName] as readonly Row[];
      const { next_cursor: cursor } = page;
      this.#cursor = cursor;
      const before = isFirst ? [] : this.state.value.rows;
      this.#set({ rows: [...before, ...rows], isDone: cursor === undefined });
    } catch (error) {
      if (round === this.#round) this.#set({ error });
    }
  }

  /** Reads the total. It comes after the rows. */
  async #count(round: number): Promise<void> {
    const { rows, isDone, error } = this.state.value;
    if (!this.collection.hasTotal || hasRange(this.collection, this.query) || error !== undefined) return;
    if (isDone) return this.#set({ total: rows.length });
    const { sort: _, ...filters } = this.query;
    const page = await this.client
      .collection<Row>(this.path)
      .page({ ...filters, per_page: 1 })
      .catch(() => undefined);
    if (page !== undefined && round === this.#round) this.#set({ total: Number(page['total']) });
  }

  /** Whether a new member belongs into this list, as far as its filters tell. */
  #isWanted(row: Row): boolean {
    const parents = match(this.collection.path, `/${this.path}`) ?? [];
    const names = parametersOf(this.collection.path);
    if (!names.every((name, index) => [text(row, name), 'me'].includes(parents[index] ?? ''))) return false;
    return this.collection.filters.every(({ name, kind, field }) => {
      const wanted = this.query[name];
      return wanted === undefined || kind !== 'equal' || wanted.split(',').includes(text(row, field));
    });
  }

  #set(change: Partial<WalkState>): void {
    this.state.set({ ...this.state.value, ...change });
  }
}

import type { Event, ItemsClient } from '@items/client';

import type { Collection } from '../document/collection.js';
import { withQuery, type ListQuery } from './list-query.js';
import { Walk } from './walk.js';

/** Lists that stay in memory, so that Back shows them immediately. */
const MAX_WALKS = 20;

export class Walks {
  readonly #walks = new Map<string, Walk>();

  constructor(private readonly client: ItemsClient) {}

  /** @param rows The least number of rows to load if the list is not in memory. */
  open(collection: Collection, path: string, query: ListQuery, rows = 0): Walk {
    const key = withQuery(path, query);
    const walk = this.#walks.get(key) ?? new Walk(this.client, collection, path, query);
    if (!this.#walks.has(key)) void walk.load(rows);
    // The most recently used is the last.
    this.#walks.delete(key);
    this.#walks.set(key, walk);
    const [oldest] = this.#walks.keys();
    if (this.#walks.size > MAX_WALKS && oldest !== undefined) this.#walks.delete(oldest);
    return walk;
  }

  apply(event: Event): void {
    for (const walk of this.#walks.values()) walk.apply(event);
  }

  /** Forgets the lists of a kind of members after a change of the user's own. */
  forget(singular: string): void {
    for (const [key, { collection }] of this.#walks) {
      if (collection.singular === singular) this.#walks.delete(key);
    }
  }
}

import type { ItemsClient } from '@items/client';

import type { Collection } from '../document/collection.js';
import { namingField } from '../document/field.js';
import { Store } from '../parts/store.js';
import { idOf, text, type Row } from './row.js';

/** The name of a member; a short id if it has none. */
export function labelOf(collection: Collection, row: Row): string {
  const field = namingField(collection.fields);
  const name = field === undefined ? '' : text(row, field.name);
  const isUnique = field !== undefined && field.kind !== 'choice';
  return name !== '' && isUnique ? name : `${capitalised(collection.noun)} ${shortId(idOf(row))}`;
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The random end of an id: its beginning is a time, which neighbours share. */
export function shortId(id: string): string {
  return id.length > 12 ? `…${id.slice(-6)}` : id;
}

/** Names of members that others refer to. */
export class Labels {
  readonly changed = new Store(0);
  readonly #known = new Map<string, string>();
  readonly #loaded = new Set<string>();

  constructor(private readonly client: ItemsClient) {}

  /** Undefined until it is known; then listeners of `changed` are notified. */
  find(collection: Collection, id: string): string | undefined {
    const known = this.#known.get(id);
    // One request for many names; a member beyond the first hundred is read by itself when it is shown alone.
    if (known === undefined && !this.#loaded.has(collection.path)) {
      this.#loaded.add(collection.path);
      void this.#load(collection);
    }
    return known;
  }

  learn(collection: Collection, rows: readonly Row[]): void {
    for (const row of rows) this.#known.set(idOf(row), labelOf(collection, row));
  }

  async #load(collection: Collection): Promise<void> {
    const name = collection.path.slice(1);
    const page = await this.client
      .collection<Row>(name)
      .page({ limit: 100 })
      .catch(() => undefined);
    this.learn(collection, (page?.[collection.listName] ?? []) as readonly Row[]);
    this.changed.set(this.changed.value + 1);
  }
}

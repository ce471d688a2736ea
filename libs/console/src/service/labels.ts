import type { ItemsClient } from '@items/client';
import { signal } from '@preact/signals';

import { namingField } from '../document/field.js';
import type { Collection } from '../document/model.js';
import { readPage, idOf, text, type Row } from './rows.js';

/** Returns the name of a member, or a short id if it has none. */
export function labelOf({ fields, noun }: Collection, row: Row): string {
  const field = namingField(fields);
  const name = field === undefined || field.kind === 'choice' ? '' : text(row, field.name);
  return name || `${capitalised(noun)} ${shortId(idOf(row))}`;
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Lower-cases the first letter of a title for use in a sentence, but not that of an abbreviation. */
export function inSentence(title: string): string {
  return title.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}

/** Returns the random end of an id: the beginning is a time, so neighbouring rows share it. */
export function shortId(id: string): string {
  return id.length > 12 ? `…${id.slice(-6)}` : id;
}

export class Labels {
  readonly #known = signal(new Map<string, string>());
  readonly #loaded = new Set<string>();

  constructor(private readonly client: ItemsClient) {}

  /** Returns the name, or undefined. Renders the calling component again after names are loaded. */
  find(collection: Collection, id: string): string | undefined {
    const known = this.#known.value.get(id);
    // One request loads the first 100 names. Other names become known when their member is shown.
    if (known === undefined && !this.#loaded.has(collection.path)) {
      this.#loaded.add(collection.path);
      void this.#load(collection);
    }
    return known;
  }

  learn(collection: Collection, rows: readonly Row[]): void {
    for (const row of rows) this.#known.peek().set(idOf(row), labelOf(collection, row));
  }

  async #load(collection: Collection): Promise<void> {
    const page = await readPage(this.client, collection.path, { limit: 100 }).catch(() => undefined);
    this.learn(collection, page?.rows ?? []);
    this.#known.value = new Map(this.#known.peek());
  }
}

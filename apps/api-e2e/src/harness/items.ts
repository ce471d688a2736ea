import type { Item, ItemInput } from '@items/dtos/contract';
import { itemInput, type HttpClient } from '@items/testing';

import { admin } from './clients.js';
import { cursorPageOf, expectStatus, itemOf } from './reading.js';
import { pagesOf, type BetweenPages } from './walk.js';

export async function createItem(overrides: Partial<ItemInput> = {}, client: HttpClient = admin): Promise<Item> {
  return itemOf(await client.post('/items', itemInput(overrides)), 201);
}

/** Creates items sequentially, so that their order of creation is known. */
export async function createItems(inputs: readonly Partial<ItemInput>[], client: HttpClient = admin): Promise<Item[]> {
  const items: Item[] = [];
  for (const input of inputs) items.push(await createItem(input, client));
  return items;
}

/** Creates items of one colour, a few concurrently, in random order. */
export async function createMany(count: number, color: string, client: HttpClient = admin): Promise<Item[]> {
  const inputs = Array.from({ length: count }, (_, i) => ({ color, name: `Item ${i}`, price: (i * 37) % 50 }));
  const items: Item[] = [];
  for (let at = 0; at < inputs.length; at += 16) {
    items.push(...(await Promise.all(inputs.slice(at, at + 16).map((input) => createItem(input, client)))));
  }
  return items;
}

export async function readItem(id: string): Promise<Item> {
  return itemOf(await admin.get(`/items/${id}`));
}

export async function deleteItem(id: string): Promise<void> {
  expectStatus(await admin.delete(`/items/${id}`), 204);
}

/** Returns the items of each page of a walk. @param query without `cursor`. */
export async function walkPages(query: string, between?: BetweenPages): Promise<Item[][]> {
  const ask = async (asked: string) => cursorPageOf(await admin.get(`/items?${asked}`));
  return (await pagesOf(ask, query, between)).map(({ items }) => [...items]);
}

export async function walk(query: string, between?: BetweenPages): Promise<Item[]> {
  return (await walkPages(query, between)).flat();
}

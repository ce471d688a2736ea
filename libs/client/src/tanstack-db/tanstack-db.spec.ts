import { setTimeout as sleep } from 'node:timers/promises';

import { closingFetch, postgresUnderTest, startApp, type RunningApp } from '@items/testing';
import { createCollection } from '@tanstack/db';

import { createClient, PreconditionFailedError, ValidationError, type Item, type ItemsClient } from '../index.js';
import { memoryStore } from '../replica/index.js';
import { replicaCollectionOptions } from './index.js';

const databases = postgresUnderTest() === undefined ? (['sqlite'] as const) : (['sqlite', 'postgres'] as const);
const INPUT = { description: null, color: null, created_at: '', updated_at: '' };

describe.each(databases)('a collection of TanStack DB over a replica, on %s', (database) => {
  let app: RunningApp;
  let client: ItemsClient;
  const open = () => createCollection(replicaCollectionOptions<Item>({ source: client.items, store: memoryStore() }));
  let items: ReturnType<typeof open>;
  const sent: { readonly method: string; readonly headers: Headers }[] = [];
  /** Prices of a row in the order in which the collection showed them. */
  let shown: (number | null | undefined)[] = [];

  beforeAll(async () => {
    app = await startApp({ database });
    const fetch: typeof globalThis.fetch = (url, init) => {
      sent.push({ method: init?.method ?? 'GET', headers: new Headers(init?.headers) });
      return closingFetch(url, init);
    };
    client = createClient({ baseUrl: app.baseUrl, auth: { apiKey: app.adminKey }, fetch });
    for (const price of [1, 2, 3]) await client.items.create({ name: `Mug ${String(price)}`, price });
    items = open();
    await items.preload();
  });
  afterAll(async () => {
    await items.cleanup();
    await app.stop('SIGKILL');
  });

  const lastSent = (method: string, header: string): string | null | undefined =>
    sent.findLast((request) => request.method === method)?.headers.get(header);
  const rowNamed = (name: string): Item => {
    const row = items.toArray.find((item) => item.name === name);
    if (row === undefined) throw new Error(`No row is called ${name}`);
    return row;
  };
  /** Records each price that the collection shows of a row. */
  const watch = ({ id }: Item): (() => void) => {
    shown = [items.get(id)?.price];
    const subscription = items.subscribeChanges(() => {
      const price = items.get(id)?.price;
      if (price !== shown.at(-1)) shown.push(price);
    });
    return () => subscription.unsubscribe();
  };

  it('has all rows when it is ready', () => {
    expect(items.toArray.map(({ price }) => price).sort()).toEqual([1, 2, 3]);
  });

  it('inserts: the row has a temporary key until the service returns its id, and is never missing', async () => {
    let hasBeenMissing = false;
    const inserted = items.insert({ ...INPUT, id: 'temporary', name: 'New', price: 9 });
    const subscription = items.subscribeChanges(() => {
      hasBeenMissing ||= !items.toArray.some(({ name }) => name === 'New');
    });
    expect(items.get('temporary')?.name).toBe('New');
    await inserted.when('settled');
    subscription.unsubscribe();
    expect(items.has('temporary')).toBe(false);
    expect(hasBeenMissing).toBe(false);
    const made = rowNamed('New');
    expect(made).toMatchObject(await client.items.get(made.id));
    expect(lastSent('POST', 'idempotency-key')).toBeTruthy();
  });

  it('updates: the optimistic row is never replaced by an older one, even if two changes overlap', async () => {
    const row = rowNamed('Mug 1');
    const unsubscribe = watch(row);
    const transactions = [10, 11].map((price) => items.update(row.id, (draft) => void (draft.price = price)));
    await Promise.all(transactions.map((transaction) => transaction.when('settled')));
    unsubscribe();
    expect(shown).toEqual([1, 10, 11]);
    expect((await client.items.get(row.id)).price).toBe(11);
    expect(items.get(row.id)).toMatchObject(await client.items.get(row.id));
    expect(lastSent('PUT', 'if-match')).toMatch(/^"/);
  });

  it('refuses a change of a row that has changed since, and rolls it back', async () => {
    const row = rowNamed('Mug 2');
    await client.items.replace(row.id, { name: 'Theirs', price: 20 });
    const changed = items.update(row.id, (draft) => void (draft.price = 21));
    await expect(changed.when('settled')).rejects.toThrow(PreconditionFailedError);
    expect(items.get(row.id)?.price).not.toBe(21);
    expect(await client.items.get(row.id)).toMatchObject({ name: 'Theirs', price: 20 });
  });

  it('rejects with the error of the service for a wrong input', async () => {
    const row = rowNamed('Mug 3');
    const changed = items.update(row.id, (draft) => void (draft.name = ''));
    await expect(changed.when('settled')).rejects.toThrow(ValidationError);
    expect(items.get(row.id)?.name).toBe('Mug 3');
  });

  it('refuses to delete a row that has changed since, and shows it again', async () => {
    const row = rowNamed('Mug 3');
    await client.items.replace(row.id, { name: 'Mug 3', price: 30 });
    const deleted = items.delete(row.id);
    expect(items.has(row.id)).toBe(false);
    await expect(deleted.when('settled')).rejects.toThrow(PreconditionFailedError);
    const deadline = Date.now() + 15_000;
    while (items.get(row.id)?.price !== 30 && Date.now() < deadline) await sleep(50);
    expect(items.get(row.id)?.price).toBe(30);
  });

  it('rolls back a forbidden write (403)', async () => {
    const input = { name: 'Reader', scopes: ['items:read'] as const };
    const { key } = await client.apiKeys.create({ ...input, scopes: [...input.scopes] });
    const reader = createClient({ baseUrl: app.baseUrl, auth: { apiKey: key }, fetch: closingFetch });
    const options = replicaCollectionOptions<Item>({ source: reader.items, store: memoryStore() });
    const theirs = createCollection(options);
    await theirs.preload();
    const { size } = theirs;
    const inserted = theirs.insert({ ...INPUT, id: 'temporary', name: 'Refused', price: 1 });
    expect(theirs.size).toBe(size + 1);
    await expect(inserted.when('settled')).rejects.toMatchObject({ status: 403 });
    expect(theirs.size).toBe(size);
    await theirs.cleanup();
  });

  it('deletes', async () => {
    const row = rowNamed('Mug 3');
    await items.delete(row.id).when('settled');
    expect(items.has(row.id)).toBe(false);
    expect(lastSent('DELETE', 'if-match')).toMatch(/^"/);
    await expect(client.items.get(row.id)).rejects.toMatchObject({ status: 404 });
  });

  it('follows the writes of others', async () => {
    const { id } = await client.items.create({ name: 'From elsewhere' });
    const deadline = Date.now() + 15_000;
    while (!items.has(id) && Date.now() < deadline) await sleep(50);
    expect(items.get(id)?.name).toBe('From elsewhere');
  });
});

import { ResourceNotFoundError } from '@items/errors';
import { Idempotency, type Transaction } from '@items/store';

import { CollectionService, type Precondition, type Tagged } from './collection-service.js';
import { describeOnBothDatabases } from './testing/database.testing.js';
import { NO_PARENT, type ParentKeys } from './parent-keys.js';
import { itemCollection, type Item, type ItemDto } from './testing/item-collection.testing.js';

const ALWAYS: Precondition = () => undefined;
const ALL = { style: 'offset', page: 1, perPage: 100, sort: [], filter: {} } as const;

function item(name: string, price: number | null = null): ItemDto {
  return { name, description: null, color: null, price };
}

describeOnBothDatabases('A transaction of a collection', (under) => {
  let items: CollectionService<Item, ItemDto>;

  beforeEach(async () => {
    const { database } = under;
    items = new CollectionService(database, new Idempotency(database), { seals: [], ttlMs: 1000 }, itemCollection);
    for (const { id } of await all()) await items.remove(id, ALWAYS);
  });

  async function all(): Promise<Item[]> {
    const { body } = await items.list(ALL, '/items');
    expect(body['total']).toBe((body['items'] as Item[]).length);
    return body['items'] as Item[];
  }

  it('makes several writes as one, and returns what its work returns', async () => {
    const [first, second] = await Promise.all([items.create(item('a'), '/items'), items.create(item('b'), '/items')]);
    const swapped = await items.transaction(async (tx) => {
      const { resource } = await items.update(tx, first.resource.id, { name: 'b', price: 0.29 }, ALWAYS);
      await items.update(tx, second.resource.id, { name: 'a' }, ALWAYS);
      await items.insert(tx, { name: 'c' });
      return resource;
    });
    expect(swapped).toMatchObject({ name: 'b', price: 0.29 });
    const names = (await all()).map(({ name, price }) => [name, price]);
    expect(names.sort()).toEqual([
      ['a', null],
      ['b', 0.29],
      ['c', null],
    ]);
  });

  it('names no column whose value stays: each would cost the entries of its index', async () => {
    const { resource } = await items.create(item('kept', 1), '/items');
    const updates: string[] = [];
    await items.transaction((tx) => {
      const heard: Transaction = {
        query: (sql, params) => {
          updates.push(...(/UPDATE items SET (.*)/.exec(sql)?.slice(1) ?? []));
          return tx.query(sql, params);
        },
        savepoint: (work) => tx.savepoint(work),
      };
      return items.update(heard, resource.id, { name: 'kept', price: 2 }, ALWAYS);
    });
    expect(updates).toEqual([expect.stringMatching(/^price = \S+ (updated_at = \S+ )?lane = /)]);
    expect((await items.get(resource.id)).resource).toMatchObject({ name: 'kept', price: 2 });
  });

  it('makes none of its writes where its work throws, whatever came before', async () => {
    const { resource, etag } = await items.create(item('kept', 1), '/items');
    const other = await items.create(item('other'), '/items');
    const work = async (tx: Transaction): Promise<void> => {
      await items.update(tx, resource.id, { price: 2 }, ALWAYS);
      await items.delete(tx, other.resource.id, ALWAYS);
      await items.insert(tx, item('new'));
      throw new Error('No.');
    };
    await expect(items.transaction(work)).rejects.toThrow('No.');
    expect(await items.get(resource.id)).toMatchObject({ resource, etag });
    expect((await all()).map(({ name }) => name).sort()).toEqual(['kept', 'other']);
  });

  it('changes a member by what it is, as it is shown, and leaves alone what is undefined', async () => {
    const { resource } = await items.create(item('a', 1.5), '/items');
    const { resource: doubled } = await items.transaction((tx) =>
      items.lockAndUpdate(tx, resource.id, ({ price }) => ({ name: undefined, price: (price ?? 0) * 2 })),
    );
    expect(doubled).toMatchObject({ name: 'a', price: 3 });
    const missing = items.transaction((tx) => items.lockAndUpdate(tx, 'x', () => ({})));
    await expect(missing).rejects.toThrow(ResourceNotFoundError);
  });

  describe('that makes a member for a request', () => {
    const repeatable = { callerId: 'c', route: '/items', fingerprint: 'f' };
    let attempts = 0;

    const make = async (tx: Transaction): Promise<Tagged<Item>> => {
      attempts += 1;
      return items.insert(tx, item(`made ${String(attempts)}`));
    };

    beforeEach(() => (attempts = 0));

    it('says where the member is', async () => {
      const { resource, location, replayed } = await items.transaction(make, { path: '/items' });
      expect([location, replayed]).toEqual([`/items/${resource.id}`, false]);
    });

    it('is done once, and its repetition gets the first answer', async () => {
      const request = { path: '/items', repeatable: { ...repeatable, key: 'once' } };
      const first = await items.transaction(make, request);
      expect(await items.transaction(make, request)).toEqual({ ...first, replayed: true });
      expect(attempts).toBe(1);
      expect(await all()).toEqual([first.resource]);
    });

    it('is done again where it has failed: nothing of the first try is left', async () => {
      const request = { path: '/items', repeatable: { ...repeatable, key: 'again' } };
      const fail = async (tx: Transaction): Promise<Tagged<Item>> => {
        await make(tx);
        throw new Error('No.');
      };
      await expect(items.transaction(fail, request)).rejects.toThrow('No.');
      const { resource } = await items.transaction(make, request);
      expect(resource.name).toBe('made 2');
      expect(await all()).toEqual([resource]);
    });

    it('refuses the repetition where the answer held a secret', async () => {
      const request = { path: '/items', repeatable: { ...repeatable, key: 'secret' }, replay: 'secret' } as const;
      await items.transaction(make, request);
      await expect(items.transaction(make, request)).rejects.toMatchObject({ code: 'secret_not_replayable' });
      expect(attempts).toBe(1);
    });
  });
});

describeOnBothDatabases('A nested collection', (under) => {
  let items: CollectionService<Item, ItemDto>;
  const red = { color: 'red' };

  beforeEach(async () => {
    const { database } = under;
    const nested = { ...itemCollection, parent: 'color' };
    items = new CollectionService(database, new Idempotency(database), { seals: [], ttlMs: 1000 }, nested);
    for (const { id } of await namesOf(NO_PARENT)) await items.remove(id, ALWAYS, NO_PARENT);
  });

  async function namesOf(parent: ParentKeys): Promise<Item[]> {
    return (await items.list(ALL, '/items', parent)).body['items'] as Item[];
  }

  /** Every operation that a path may narrow, on a member. */
  const OPERATIONS: [string, (id: string, parent?: ParentKeys) => unknown][] = [
    ['list', (_id, parent) => items.list(ALL, '/items', parent)],
    ['hasAny', (_id, parent) => items.hasAny(parent as ParentKeys)],
    ['get', (id, parent) => items.get(id, parent)],
    ['create', (_id, parent) => items.create(item('new'), '/items', undefined, parent)],
    ['replace', (id, parent) => items.replace(id, item('other'), ALWAYS, parent)],
    ['update', (id, parent) => items.transaction((tx) => items.update(tx, id, { name: 'x' }, ALWAYS, parent))],
    ['lockAndUpdate', (id, parent) => items.transaction((tx) => items.lockAndUpdate(tx, id, () => ({}), parent))],
    ['remove', (id, parent) => items.remove(id, ALWAYS, parent)],
  ];

  it.each(OPERATIONS)('is not touched by %s() where nothing says whose members are meant', async (_, operation) => {
    const { resource } = await items.create(item('mine'), '/items', undefined, red);
    const sentence = /"items" is nested: say whose members are meant, \{ color: … \}, or NO_PARENT for everybody's/;
    const operate = async (...args: Parameters<typeof operation>): Promise<unknown> => operation(...args);
    await expect(operate(resource.id)).rejects.toThrow(sentence);
    await expect(operate(resource.id, {})).rejects.toThrow(sentence);
    await expect(operate(resource.id, { size: 'large' })).rejects.toThrow(sentence);
    expect(await namesOf(NO_PARENT)).toEqual([resource]);
    await expect(operate(resource.id, red)).resolves.not.toThrow();
  });

  it('shows the members of one parent, and of all where that is said', async () => {
    await items.create(item('a'), '/items', undefined, red);
    const { resource } = await items.create(item('b'), '/items', undefined, { color: 'blue' });
    expect((await namesOf(red)).map(({ name }) => name)).toEqual(['a']);
    expect((await namesOf(NO_PARENT)).map(({ name }) => name).sort()).toEqual(['a', 'b']);
    await expect((async () => items.get(resource.id, red))()).rejects.toThrow(ResourceNotFoundError);
    expect((await items.get(resource.id, NO_PARENT)).resource).toEqual(resource);
  });
});

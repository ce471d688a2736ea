import { ResourceNotFoundError } from '@items/conventions';
import type { ListRequest } from '@items/paging';
import { Idempotency } from '../idempotency/idempotency.js';
import { isUniqueViolation } from '../database/error-codes.js';
import type { Transaction } from '../database/database.js';
import { SYSTEM } from '../database/origin.js';

import { CollectionService } from './collection-service.js';
import type { Precondition } from './write-options.js';
import { sealOf } from '../lists/cursors.js';
import { describeOnBothDatabases } from '../testing/database.testing.js';
import { saveAllVersions } from '../testing/save-all-versions.testing.js';
import { ALL_PARENTS, type ParentKeys } from '../definition/parent-keys.js';
import type { Tagged } from './tagged.js';
import { itemCollection, type Item, type ItemDto } from '../testing/item-collection.testing.js';

const ALWAYS: Precondition = () => undefined;
const ALL = { style: 'offset', page: 1, perPage: 100, sort: [], filter: {} } as const;

/** Behaves as `If-Match` with one tag. */
function only(tag: string): Precondition {
  return (now) => {
    if (now !== tag) throw new Error('Not the state that was meant.');
  };
}

function item(name: string, price: number | null = null): ItemDto {
  return { name, description: null, color: null, price };
}

describeOnBothDatabases('A transaction of a collection', (under) => {
  let items: CollectionService<Item, ItemDto>;
  /** Like `items`, with cursor-style lists. */
  let sealed: CollectionService<Item, ItemDto>;

  beforeEach(async () => {
    const { database } = under;
    const idempotency = new Idempotency(database);
    items = new CollectionService(database, idempotency, { seals: [], ttlMs: 1000 }, itemCollection);
    const policy = { seals: [sealOf('a secret of this test')], ttlMs: 60_000 };
    sealed = new CollectionService(database, idempotency, policy, itemCollection);
    for (const { id } of await all()) await items.remove(id, ALWAYS);
  });

  async function all(): Promise<Item[]> {
    const { body } = await items.list(ALL, '/items');
    expect(body['total']).toBe((body['items'] as Item[]).length);
    return body['items'] as Item[];
  }

  it('commits several writes together, and returns the result of its work', async () => {
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

  it('has a deadline counted from the arrival of the request, like each write of a collection', async () => {
    const { resource } = await items.create(item('kept'), '/items');
    const origin = { ...SYSTEM, sinceMs: performance.now() - 5000 };
    const repeatable = { callerId: 'me', route: '/items', key: 'once', fingerprint: '' };
    const insert = (tx: Transaction): Promise<Tagged<Item>> => items.insert(tx, item('late'));
    for (const write of [
      () => items.create(item('late'), '/items', undefined, undefined, origin),
      () => items.create(item('late'), '/items', repeatable, undefined, origin),
      () => items.replace(resource.id, item('late'), ALWAYS, undefined, origin),
      () => items.remove(resource.id, ALWAYS, undefined, origin),
      () => items.transaction(insert, { origin }),
      () => items.createOnce(insert, { path: '/items', origin }),
      () => items.createOnce(insert, { path: '/items', repeatable, origin }),
    ])
      await expect(write()).rejects.toMatchObject({ status: 503, code: 'overloaded' });
    expect((await all()).map(({ name }) => name)).toEqual(['kept']);
  });

  it('updates only columns whose value changes, because each costs the entries of its index', async () => {
    const { resource } = await items.create(item('kept', 1), '/items');
    const heard: string[] = [];
    await items.transaction(async (tx) => {
      const statements = jest.spyOn(tx, under.database.dialect === 'postgres' ? 'query' : 'run');
      await items.update(tx, resource.id, { name: 'kept', price: 2 }, ALWAYS);
      heard.push(...statements.mock.calls.map(([sql]) => sql));
      statements.mockRestore();
    });
    const updates = heard.flatMap((sql) => /UPDATE (?:OR FAIL )?items SET (.*)/.exec(sql)?.slice(1) ?? []);
    expect(updates).toEqual([expect.stringMatching(/^price = \S+ (updated_at = \S+ )?lane = /)]);
    expect((await items.get(resource.id)).resource).toMatchObject({ name: 'kept', price: 2 });
  });

  it('is not needed to create a single member: PostgreSQL runs one statement without BEGIN and COMMIT', async () => {
    const transactions = jest.spyOn(under.database, 'transaction');
    const { resource } = await items.create(item('alone', 1), '/items');
    expect(transactions).not.toHaveBeenCalled();
    transactions.mockRestore();
    expect((await items.get(resource.id)).resource).toEqual(resource);
  });

  it('creates concurrent members with few statements on PostgreSQL, and each gets its own tag', async () => {
    const statements = jest.spyOn(under.database, 'autocommit');
    const wanted = Array.from({ length: 21 }, (_, n) =>
      Object.assign(item(`mate ${String(n)}`, n), { color: n % 3 ? 'red' : null }),
    );
    const made = await Promise.all(wanted.map((each) => items.create(each, '/items')));
    expect(statements.mock.calls.length).toBe(under.database.dialect === 'postgres' ? 4 : 21);
    statements.mockRestore();

    expect(made.map(({ resource }) => resource)).toMatchObject(wanted);
    expect(new Set(made.map(({ etag }) => etag)).size).toBe(21);
    for (const { resource, etag } of made) expect(await items.get(resource.id)).toMatchObject({ resource, etag });
    expect(await all()).toHaveLength(21);
    const { body } = await items.list({ ...ALL, filter: { color: ['red'] } }, '/items');
    expect(body).toMatchObject({ total: 14 });
  });

  it('fails only for an invalid member, and concurrent creations succeed', async () => {
    const nameless = Object.assign(item('nameless'), { name: null as unknown as string });
    const outcomes = await Promise.allSettled(
      [item('a'), nameless, item('b')].map((each) => items.create(each, '/items')),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((await all()).map(({ name }) => name).sort()).toEqual(['a', 'b']);
  });

  it('reads and writes with one statement each to replace a member, and repeats both after a concurrent change', async () => {
    await saveAllVersions(under.database);
    const { etag, resource } = await items.create(item('contested', 0), '/items');
    const transactions = jest.spyOn(under.database, 'transaction');
    const replaced = await items.replace(resource.id, item('contested', 1), ALWAYS);
    expect(transactions).not.toHaveBeenCalled();
    transactions.mockRestore();

    const judged: string[] = [];
    const writers = Array.from({ length: 8 }, (_, n) =>
      items.replace(resource.id, item('contested', n), (now) => judged.push(now)),
    );
    const tags = (await Promise.all(writers)).map((state) => state.etag);
    expect(new Set([etag, replaced.etag, ...tags]).size).toBe(10);
    // Each precondition saw the state that its write replaced, and no two writes replaced the same state.
    const { etag: last } = await items.get(resource.id);
    expect(new Set(judged)).toEqual(new Set([replaced.etag, ...tags.filter((tag) => tag !== last)]));
    const versions = await under.database.query('SELECT seq FROM items_versions WHERE id = $1', [resource.id]);
    expect(versions).toHaveLength(9);
    const outcomes = await Promise.allSettled(
      [10, 11, 12].map((price) => items.replace(resource.id, item('contested', price), only(last))),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    const removals = await Promise.allSettled([1, 2, 3].map(() => items.remove(resource.id, ALWAYS)));
    expect(removals.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
  });

  it('inserts many members with their ids and times, exact totals, and a separate tag each', async () => {
    const before = await items.create(item('before'), '/items');
    const walk = { style: 'cursor', limit: 1, sort: [], filter: {} } as const;
    const begun = await sealed.list(walk, '/items');
    const past = {
      id: '01890000-0000-7000-8000-000000000001',
      created_at: 1_700_000_000_000,
      updated_at: 1_700_000_000_001,
    };
    const texts = ['"quoted" \\ back', 'two\r\nlines\u2028', '😀𝒳', 'null'];
    const added = await items.transaction((tx) =>
      items.insertAll(tx, [
        { fields: { name: 'old', price: 999_999_999.99, color: 'red' }, past },
        ...texts.map((name, n) => ({
          fields: { name, description: name, color: n % 2 ? 'red' : null, price: n / 100 },
        })),
      ]),
    );
    await items.transaction((tx) => items.insertAll(tx, []));
    expect(added[0]).toEqual({
      id: past.id,
      name: 'old',
      description: null,
      color: 'red',
      price: 999_999_999.99,
      created_at: '2023-11-14T22:13:20.000Z',
      updated_at: '2023-11-14T22:13:20.001Z',
    });
    expect(added.slice(1).map(({ name, description }) => [name, description])).toEqual(
      texts.map((text) => [text, text]),
    );
    expect(await all()).toEqual([added[0], before.resource, ...added.slice(1)]);
    const red = await items.list({ ...ALL, filter: { color: ['red'] } }, '/items');
    expect(red.body['total']).toBe(3);
    const tags = await Promise.all(added.map(async ({ id }) => (await items.get(id)).etag));
    expect(new Set([...tags, before.etag]).size).toBe(6);
    // A walk that began before does not list them, at any position.
    expect(begun.body).toMatchObject({ items: [before.resource] });
    expect(begun.body).not.toHaveProperty('next_cursor');
    expect(await items.replace(past.id, item('new'), (etag) => expect(etag).toBe(tags[0]))).toMatchObject({
      resource: { name: 'new', created_at: '2023-11-14T22:13:20.000Z' },
    });
  });

  it('a walk does not list members that are inserted while it runs', async () => {
    const walk = { style: 'cursor', limit: 2, sort: [{ field: 'name', descending: false }], filter: {} } as const;
    for (const name of ['a', 'c', 'e', 'g']) await items.create(item(name), '/items');
    const { next_cursor: cursor } = (await sealed.list(walk, '/items')).body as { next_cursor: string };
    await items.transaction((tx) =>
      items.insertAll(
        tx,
        ['b', 'd', 'f', 'h'].map((name) => ({ fields: item(name) })),
      ),
    );
    const rest = await sealed.list({ ...walk, cursor, limit: 100 }, '/items');
    expect((rest.body['items'] as Item[]).map(({ name }) => name)).toEqual(['e', 'g']);
    expect(await all()).toHaveLength(8);
  });

  it('has exact totals if its work catches the errors of refused writes', async () => {
    await under.database.transaction((tx) => tx.query('CREATE UNIQUE INDEX items_once ON items (name)'));
    const once = (): Promise<unknown> =>
      items.transaction(async (tx) => {
        try {
          return await items.insert(tx, Object.assign(item('once', 1), { color: 'red' }));
        } catch (error) {
          if (!isUniqueViolation(error)) throw error;
          return undefined;
        }
      });
    const onceInSavepoint = (): Promise<unknown> =>
      items.transaction((tx) => tx.savepoint(() => items.insert(tx, item('twice', 1))).catch(() => undefined));
    const outcomes = [];
    for (const make of [once, once, once, onceInSavepoint, onceInSavepoint, onceInSavepoint]) {
      const [outcome] = await Promise.allSettled([make()]);
      outcomes.push(outcome.status);
    }
    await Promise.allSettled([once(), onceInSavepoint(), once(), onceInSavepoint()]);
    await under.database.transaction((tx) => tx.query('DROP INDEX items_once'));
    expect(outcomes).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
    expect((await all()).map(({ name }) => name).sort()).toEqual(['once', 'twice']);
    const totals = async (filter: ListRequest['filter']): Promise<unknown> =>
      (await items.list({ ...ALL, filter }, '/items')).body['total'];
    expect([await totals({}), await totals({ color: ['red'] })]).toEqual([2, 1]);
  });

  it.each<[string, (tx: Transaction, id: string) => unknown]>([
    ['create', () => items.create(item('inner'), '/items')],
    [
      'create, repeatable',
      () => items.create(item('inner'), '/items', { callerId: 'c', route: '/items', key: 'inner', fingerprint: 'f' }),
    ],
    ['replace', (_, id) => items.replace(id, item('inner'), ALWAYS)],
    ['remove', (_, id) => items.remove(id, ALWAYS)],
    ['transaction', () => items.transaction((tx) => items.insert(tx, item('inner')))],
    ['insert with the tx of another one', (tx) => items.transaction(() => items.insert(tx, item('inner')))],
  ])('refuses an inner write without its tx, and is rolled back: %s', async (_, write) => {
    const { resource } = await items.create(item('kept', 1), '/items');
    for (const caught of [false, true]) {
      const work = items.transaction(async (tx) => {
        await items.insert(tx, item('outer'));
        try {
          await write(tx, resource.id);
        } catch (error) {
          if (!caught) throw error;
        }
      });
      await expect(work).rejects.toThrow(/Pass the tx of the outer one/);
    }
    expect(await all()).toEqual([resource]);
  });

  it('is rolled back if its work throws', async () => {
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

  it('refuses a member with a future time, which walks would miss', async () => {
    const fields = item('early');
    const insert = (past: object): Promise<unknown> =>
      items.transaction((tx) => items.insertAll(tx, [{ fields, past }]));
    const soon = Date.now() + 60_000;
    await expect(insert({ created_at: soon })).rejects.toMatchObject({
      code: 'validation_failed',
      details: [{ field: 'created_at', code: 'in_future' }],
    });
    await expect(insert({ created_at: 1000, updated_at: soon })).rejects.toMatchObject({
      details: [{ field: 'updated_at', code: 'in_future' }],
    });
    expect(await all()).toEqual([]);
    await insert({ created_at: Date.now() + 500 });
    expect(await all()).toHaveLength(1);
  });

  it('changes a member depending on its current state, without the fields that are undefined', async () => {
    const { resource } = await items.create(item('a', 1.5), '/items');
    const { resource: doubled } = await items.transaction((tx) =>
      items.lockAndUpdate(tx, resource.id, ({ price }) => ({ name: undefined, price: (price ?? 0) * 2 })),
    );
    expect(doubled).toMatchObject({ name: 'a', price: 3 });
    const missing = items.transaction((tx) => items.lockAndUpdate(tx, 'x', () => ({})));
    await expect(missing).rejects.toThrow(ResourceNotFoundError);
  });

  describe('that creates a member for a request', () => {
    const repeatable = { callerId: 'c', route: '/items', fingerprint: 'f' };
    let attempts = 0;

    const make = async (tx: Transaction): Promise<Tagged<Item>> => {
      attempts += 1;
      return items.insert(tx, item(`made ${String(attempts)}`));
    };

    beforeEach(() => (attempts = 0));

    it('returns the location of the member', async () => {
      const { resource, location, replayed } = await items.createOnce(make, { path: '/items' });
      expect([location, replayed]).toEqual([`/items/${resource.id}`, false]);
    });

    it('runs once, and a repeated request gets the first response', async () => {
      const request = { path: '/items', repeatable: { ...repeatable, key: 'once' } };
      const first = await items.createOnce(make, request);
      expect(await items.createOnce(make, request)).toEqual({ ...first, replayed: true });
      expect(attempts).toBe(1);
      expect(await all()).toEqual([first.resource]);
    });

    it('runs again after a failure, which leaves no changes', async () => {
      const request = { path: '/items', repeatable: { ...repeatable, key: 'again' } };
      const fail = async (tx: Transaction): Promise<Tagged<Item>> => {
        await make(tx);
        throw new Error('No.');
      };
      await expect(items.createOnce(fail, request)).rejects.toThrow('No.');
      const { resource } = await items.createOnce(make, request);
      expect(resource.name).toBe('made 2');
      expect(await all()).toEqual([resource]);
    });

    it('refuses a repeated request if the response contained a secret', async () => {
      const request = { path: '/items', repeatable: { ...repeatable, key: 'secret' }, replay: 'secret' } as const;
      await items.createOnce(make, request);
      await expect(items.createOnce(make, request)).rejects.toMatchObject({ code: 'secret_not_replayable' });
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
    for (const { id } of await namesOf(ALL_PARENTS)) await items.remove(id, ALWAYS, ALL_PARENTS);
  });

  async function namesOf(parent: ParentKeys): Promise<Item[]> {
    return (await items.list(ALL, '/items', parent)).body['items'] as Item[];
  }

  /** Every operation on a member that accepts a parent. */
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

  it.each(OPERATIONS)('refuses %s() without a parent', async (_, operation) => {
    const { resource } = await items.create(item('mine'), '/items', undefined, red);
    const sentence = /"items" is nested: pass \{ color: … \}, or ALL_PARENTS for the members of all parents/;
    const operate = async (...args: Parameters<typeof operation>): Promise<unknown> => operation(...args);
    await expect(operate(resource.id)).rejects.toThrow(sentence);
    await expect(operate(resource.id, {})).rejects.toThrow(sentence);
    await expect(operate(resource.id, { size: 'large' })).rejects.toThrow(sentence);
    expect(await namesOf(ALL_PARENTS)).toEqual([resource]);
    await expect(operate(resource.id, red)).resolves.not.toThrow();
  });

  it('lists the members of one parent, or of all with ALL_PARENTS', async () => {
    await items.create(item('a'), '/items', undefined, red);
    const { resource } = await items.create(item('b'), '/items', undefined, { color: 'blue' });
    expect((await namesOf(red)).map(({ name }) => name)).toEqual(['a']);
    expect((await namesOf(ALL_PARENTS)).map(({ name }) => name).sort()).toEqual(['a', 'b']);
    await expect((async () => items.get(resource.id, red))()).rejects.toThrow(ResourceNotFoundError);
    expect((await items.get(resource.id, ALL_PARENTS)).resource).toEqual(resource);
  });
});

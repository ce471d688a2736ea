import { createClient, type Item } from '../index.js';
import { createReplica, memoryStore, type ReplicaStore, type StoredCopy } from './index.js';
import { refused, type ModelRow } from './testing/model-of-service.testing.js';
import { replicaUnderTest, type ReplicaUnderTest } from './testing/replica-under-test.testing.js';

let under: ReplicaUnderTest;
const never = (): Promise<never> => new Promise<never>(() => undefined);
afterEach(() => under.time.restore());

const pass = (seconds: number): Promise<void> => under.time.pass(seconds * 1000, () => undefined);
const write = (writes: number): void => {
  for (let count = 0; count < writes; count += 1) under.service.write();
};
/** Starts the replica and lets some time pass. @returns The outcome of the start. */
async function started(seconds = 5): Promise<string> {
  let outcome = 'pending';
  under.replica.start().then(
    () => (outcome = 'resolved'),
    (error: unknown) => (outcome = `rejected: ${String(error)}`),
  );
  await pass(seconds);
  return outcome;
}
describe('createReplica', () => {
  beforeEach(() => (under = replicaUnderTest()));

  it('accepts top-level collections whose events contain the whole row', () => {
    const client = createClient({ baseUrl: 'http://localhost', auth: { apiKey: 'key' } });
    const store = memoryStore<never>();
    const widgets = client.collection<Item>('widgets', { events: 'widget' });
    for (const source of [client.items, client.allOrders, widgets]) {
      expect(createReplica({ source, store: memoryStore() }).status).toBe('stopped');
    }
    const wrong = [
      client.users,
      client.apiKeys,
      client.sessions,
      client.collection('widgets'),
      client.collection('users', { events: 'user' }),
      client.collection('users/me/notes', { events: 'note' }),
      client.orders('me'),
      { walk: client.items.walk },
    ];
    for (const source of wrong) expect(() => createReplica({ source: source as never, store })).toThrow(TypeError);
  });

  it('requires an owner for a persistent store', () => {
    const { items: source } = createClient({ baseUrl: 'http://localhost', auth: { apiKey: 'key' } });
    const store = { ...memoryStore<Item>(), owner: undefined };
    expect(() => createReplica({ source, store })).toThrow(TypeError);
    expect(createReplica({ source, store, owner: 'me' }).size).toBe(0);
    expect(createReplica({ source, store: { ...store, owner: 'me' } }).size).toBe(0);
  });
});

describe('a first load', () => {
  beforeEach(() => (under = replicaUnderTest()));

  it('publishes all rows as one change, and shows no rows before', async () => {
    write(40);
    const changes: number[] = [];
    under.replica.subscribe(({ upserted }) => changes.push(upserted.length));
    void under.replica.start();
    await pass(0.4);
    expect([under.replica.status, under.replica.size, under.replica.all()]).toEqual(['loading', 0, []]);
    await pass(10);
    expect(changes).toEqual([under.service.rows.size]);
    expect(under.statuses).toEqual(['loading', 'following']);
    expect(JSON.stringify(under.replica.all())).toBe(under.service.walkNow());
  });

  it.each([401, 403])('rejects if it is forbidden (%d), and sends nothing more until start()', async (access) => {
    under.service.access = access;
    expect(await started()).toMatch(/^rejected/);
    expect(under.statuses).toEqual(['loading', 'forbidden']);
    expect(under.errors).toMatchObject([{ status: access }]);
    const { length } = under.sent;
    await pass(300);
    expect(under.sent).toHaveLength(length);
    under.service.access = 200;
    expect(await started()).toBe('resolved');
    expect(under.replica.status).toBe('following');
  });

  it('stops if the service has no events', async () => {
    under.instead.push(refused(404, 'events_off'));
    expect(await started()).toMatch(/^rejected/);
    expect([under.replica.status, under.errors]).toMatchObject(['stopped', [{ code: 'events_off' }]]);
  });

  it('stays loading while the quota is used up, and is offline after other faults', async () => {
    under.instead.push(refused(429, 'rate_limited', { 'retry-after': '7' }), refused(503, 'unavailable'));
    void under.replica.start();
    await pass(6);
    expect(under.statuses).toEqual(['loading']);
    await pass(20);
    expect(under.statuses).toEqual(['loading', 'offline', 'loading', 'following']);
    expect(under.errors).toEqual([]);
  });

  it('rejects with an AbortError if it is stopped', async () => {
    const start = under.replica.start();
    void under.replica.stop();
    await expect(start).rejects.toMatchObject({ name: 'AbortError' });
    expect(under.replica.status).toBe('stopped');
  });
});

describe('the confirmation of a load', () => {
  const sentPaths = (): string[] => under.sent.map(({ path }) => path);
  const items = (): string[] => sentPaths().filter((path) => path.startsWith('/items'));

  it.each([
    ['one row', 1],
    ['several pages', 10],
  ])('is one request after the first long poll, with %s', async (_, rows) => {
    under = replicaUnderTest();
    for (let row = 0; row < rows; row += 1) under.service.create();
    await started();
    const loaded = items();
    await pass(100);
    expect(items()).toEqual([...loaded, loaded.at(-1)]);
    expect(under.statuses).toEqual(['loading', 'following']);
  });

  it.each([
    ['one row', 1],
    ['several pages', 10],
  ])('loads again if a restored backup lacks an unlisted write, with %s', async (_, rows) => {
    under = replicaUnderTest({}, {}, 5000);
    for (let row = 1; row < rows; row += 1) under.service.create();
    await pass(6);
    under.service.takeBackup();
    under.service.create();
    await started(1);
    expect(under.replica.size).toBe(rows);
    under.service.restoreBackup();
    await pass(50);
    expect(JSON.stringify(under.replica.all())).toBe(under.service.walkNow());
    expect(under.statuses).toEqual(['loading', 'following', 'loading', 'following']);
  });

  it('waits for a quiet moment, so that each change arrives within a second and a response', async () => {
    under = replicaUnderTest();
    await started(1);
    const delaysMs: number[] = [];
    for (let round = 0; round < 15; round += 1) {
      const writtenAtMs = under.time.nowMs;
      under.service.create();
      while (JSON.stringify(under.replica.all()) !== under.service.walkNow()) await pass(0.01);
      delaysMs.push(under.time.nowMs - writtenAtMs);
    }
    expect(Math.max(...delaysMs)).toBeLessThan(1350);
  });

  it('is repeated if it fails, and the replica follows again without a long poll', async () => {
    under = replicaUnderTest();
    await started(2);
    under.instead.push(refused(503, 'unavailable'));
    await pass(25);
    expect(under.statuses).toEqual(['loading', 'following', 'offline', 'following']);
  });

  it('happens once, although writers never pause', async () => {
    under = replicaUnderTest();
    for (let row = 0; row < 10; row += 1) under.service.create();
    await started(2);
    const loaded = items().length;
    for (let round = 0; round < 200; round += 1) {
      under.service.create();
      await pass(0.2);
    }
    expect(items()).toHaveLength(loaded + 1);
  });

  it('ends the exclusion of rows that a reload has removed, so that an import may restore them', async () => {
    under = replicaUnderTest();
    for (let row = 0; row < 5; row += 1) under.service.create();
    await started();
    const [first] = [...under.service.rows.values()];
    under.service.delete(first!);
    under.service.expire();
    await pass(60);
    expect(under.statuses).toEqual(['loading', 'following', 'loading', 'following']);
    expect(under.replica.get(first!.id)).toBeUndefined();
    under.service.import(first!);
    await pass(3);
    expect(under.replica.get(first!.id)).toEqual(first);
    // In the order of creation, not of arrival in the replica.
    expect(JSON.stringify(under.replica.all())).toBe(under.service.walkNow());
  });
});

describe('a replica that follows', () => {
  beforeEach(async () => {
    under = replicaUnderTest();
    write(10);
    await started();
  });

  it('uses long polls, sends at most one request per second, and shows a change within 2 s', async () => {
    // The load is confirmed after the first long poll.
    await pass(25);
    const before = under.sent.length;
    await pass(100);
    const paths = under.sent.slice(before).map(({ path }) => path);
    expect(paths.length).toBeLessThanOrEqual(6);
    expect(paths.every((path) => path.includes('wait=20'))).toBe(true);
    write(1);
    await pass(2);
    expect(JSON.stringify(under.replica.all())).toBe(under.service.walkNow());
    for (let round = 0; round < 40; round += 1) {
      write(1);
      await pass(0.5);
    }
    const gaps = under.sent.slice(before).map(({ atMs }, index, all) => atMs - (all[index - 1]?.atMs ?? 0));
    expect(Math.min(...gaps.slice(1))).toBeGreaterThanOrEqual(1000);
  });

  it('pauses for 5 s after an empty response before the end of the long poll', async () => {
    await pass(30);
    const { length } = under.sent;
    under.instead.push({ status: 200, body: { events: [], after: '0.10' } });
    await pass(20);
    const [early, next] = under.sent.slice(length);
    expect((next?.atMs ?? 0) - (early?.atMs ?? 0)).toBeGreaterThanOrEqual(5000);
  });

  it.each([
    ['a connection that breaks', undefined],
    ['429', refused(429, 'rate_limited', { 'retry-after': '1' })],
    ['503', refused(503, 'unavailable')],
    ['500', refused(500, 'internal_error')],
  ])('shows %s as offline within 2 s, and continues without a long poll', async (_, reply) => {
    await pass(25);
    if (reply === undefined) under.network.isDown = true;
    else under.instead.push(reply);
    write(1);
    await pass(1);
    expect(under.statuses.at(-1)).toBe('offline');
    under.network.isDown = false;
    const { length } = under.sent;
    await pass(10);
    expect(under.sent[length]?.path).not.toContain('wait');
    expect(under.statuses.at(-1)).toBe('following');
    expect(under.errors).toEqual([]);
  });

  it('spreads its retries at random, over up to half of each pause', async () => {
    under.time.restore();
    under = replicaUnderTest({}, { retry: { random: () => 1 } });
    await started();
    under.network.isDown = true;
    write(1);
    await pass(200);
    const gaps = under.sent.slice(-5).map(({ atMs }, index, all) => atMs - (all[index - 1]?.atMs ?? 0));
    expect(gaps.slice(1).every((gap) => gap > 14_500 && gap < 15_500)).toBe(true);
  });

  it('retries with growing pauses of up to 30 s, or after the Retry-After of the service', async () => {
    under.network.isDown = true;
    write(1);
    const { length: before } = under.sent;
    await pass(200);
    const gaps = under.sent.slice(before - 1).map(({ atMs }, index, all) => atMs - (all[index - 1]?.atMs ?? 0));
    const pauses = gaps.slice(2).map((gap) => Math.floor(gap / 1000));
    expect(pauses).toEqual([2, 4, 8, 16, ...pauses.slice(4).fill(30)]);
    under.network.isDown = false;
    under.instead.push(refused(503, 'unavailable', { 'retry-after': '90' }));
    await pass(31);
    const { length } = under.sent;
    await pass(50);
    expect(under.sent).toHaveLength(length);
    await pass(60);
    expect(under.replica.status).toBe('following');
  });

  it('renews its credential once after a 401, and is forbidden after a second 401', async () => {
    under.time.restore();
    const tokens: string[] = [];
    const token = (): Promise<string> => {
      under.service.access = tokens.length === 1 ? 200 : under.service.access;
      return Promise.resolve(String(tokens.push('token')));
    };
    under = replicaUnderTest({}, { auth: { token } });
    await started();
    await pass(30);
    expect(tokens).toHaveLength(1);
    under.service.access = 401;
    await pass(30);
    expect([tokens.length, under.replica.status]).toEqual([2, 'following']);
    under.service.access = 401;
    await pass(30);
    expect([tokens.length, under.replica.status]).toEqual([3, 'forbidden']);
    expect(under.errors).toMatchObject([{ status: 401 }]);
  });

  it('calls onError for other 4xx, and retries', async () => {
    await pass(25);
    under.instead.push(refused(404, 'route_not_found'));
    await pass(30);
    expect(under.errors).toMatchObject([{ status: 404 }]);
    expect(under.statuses.at(-1)).toBe('following');
  });

  it('keeps its rows while it is forbidden, until clear()', async () => {
    under.service.access = 403;
    write(1);
    await pass(30);
    expect(under.replica.status).toBe('forbidden');
    const { length } = under.sent;
    await pass(300);
    expect(under.sent).toHaveLength(length);
    const { size } = under.replica;
    expect(size).toBeGreaterThan(0);
    expect(await started()).toBe('resolved');
    expect([under.replica.status, under.replica.size]).toEqual(['forbidden', size]);
    const gone: string[] = [];
    under.replica.subscribe(({ deleted }) => gone.push(...deleted));
    await under.replica.clear();
    expect([under.replica.size, gone.length]).toEqual([0, size]);
  });

  it('is not stopped by a listener that throws', async () => {
    const stop = under.replica.subscribe(() => {
      throw new Error('of a listener');
    });
    write(1);
    await pass(3);
    expect(under.errors).toMatchObject([{ message: 'of a listener' }]);
    stop();
    write(1);
    await pass(3);
    expect(under.errors).toHaveLength(1);
    expect(under.replica.status).toBe('following');
  });
});

describe('a replica of all orders', () => {
  it('is forbidden to an administrator who has lost the role, though the feed has no error', async () => {
    let isAdmin = true;
    const json = (status: number, body: object): Response => new Response(JSON.stringify(body), { status });
    const answer = async (url: unknown): Promise<Response> => {
      const { pathname, searchParams } = new URL(url as string);
      if (pathname === '/orders') return isAdmin ? json(200, { orders: [{ id: 'a' }] }) : json(403, { error: 'No.' });
      await under.time.sleep(Number(searchParams.get('wait') ?? 0) * 1000);
      return json(200, { events: [], after: 'p' });
    };
    under = replicaUnderTest();
    const { allOrders } = createClient({ baseUrl: 'http://localhost', auth: { apiKey: 'key' }, fetch: answer });
    const replica = createReplica({ source: allOrders, store: memoryStore() });
    void replica.start();
    await pass(60);
    expect([replica.status, replica.size]).toEqual(['following', 1]);
    isAdmin = false;
    await pass(60);
    expect([replica.status, replica.size]).toEqual(['forbidden', 1]);
  });
});

describe('a quota', () => {
  it('is used only up to a third', async () => {
    under = replicaUnderTest();
    under.network.limit = 90;
    for (let row = 0; row < 300; row += 1) under.service.create();
    void under.replica.start();
    await pass(59);
    expect(under.sent.length).toBeGreaterThan(10);
    expect(under.sent.length).toBeLessThanOrEqual(30);
    await pass(600);
    expect(under.replica.status).toBe('following');
    expect(JSON.stringify(under.replica.all())).toBe(under.service.walkNow());
  });
});

describe('a store', () => {
  /** A custom store, which does not distinguish sources. @param calls Receives the name of each call. */
  const ownStore = (calls: string[] = [], memory = memoryStore<ModelRow>()): ReplicaStore<ModelRow> => {
    let isBusy = false;
    const alone = async <T>(name: string, run: () => T): Promise<T> => {
      calls.push(isBusy ? `${name} overlaps` : name);
      isBusy = true;
      await under.time.sleep(100);
      isBusy = false;
      return run();
    };
    return {
      load: () => alone('load', () => memory.load() as StoredCopy<ModelRow> | undefined),
      apply: (change) => alone('apply', () => memory.apply(change) as undefined),
      replace: (copy) => alone('replace', () => memory.replace(copy) as undefined),
    };
  };

  it('is cleared, and none of its rows is shown, if it belongs to another source or owner', async () => {
    const memory = memoryStore<ModelRow>();
    const store = ownStore([], memory);
    under = replicaUnderTest({ store, owner: 'a' });
    write(10);
    await started();
    void under.replica.stop();
    await pass(1);
    for (const options of [{ owner: 'a', name: 'others' }, { owner: 'b' }]) {
      const client = createClient({ baseUrl: 'http://localhost', auth: { apiKey: 'key' }, fetch: never });
      const { name = 'items', owner } = options;
      const other = createReplica({ source: client.collection<ModelRow>(name, { events: 'item' }), store, owner });
      void other.start().catch(() => undefined);
      await pass(5);
      expect([other.status, other.size]).toEqual(['offline', 0]);
      void other.stop();
      await pass(1);
      expect(memory.load()).toEqual({ rows: [], position: '' });
    }
  });

  it('has a change before it is published', async () => {
    const memory = memoryStore<ModelRow>();
    under = replicaUnderTest({ store: ownStore([], memory) });
    for (let row = 0; row < 3; row += 1) under.service.create();
    const stored: (number | undefined)[] = [];
    under.replica.subscribe(() => stored.push((memory.load() as StoredCopy<ModelRow>).rows.length));
    await started();
    under.service.create();
    await pass(3);
    expect(stored).toEqual([3, 4]);
  });

  it('gets one call at a time, even if start, stop and clear overlap', async () => {
    const calls: string[] = [];
    under = replicaUnderTest({ store: ownStore(calls) });
    write(10);
    await started();
    const { replica } = under;
    const ends = [replica.clear(), replica.start(), replica.stop(), replica.clear(), replica.start(), replica.start()];
    const outcomes = Promise.allSettled(ends);
    await pass(10);
    expect((await outcomes).map(({ status }) => status[0])).toEqual(['f', 'r', 'f', 'f', 'f', 'f']);
    expect(calls.filter((call) => call.endsWith('overlaps'))).toEqual([]);
    expect(JSON.stringify(replica.all())).toBe(under.service.walkNow());
  });

  it('leaves nothing in memory if it could not be cleared', async () => {
    const store = { ...memoryStore<ModelRow>() };
    under = replicaUnderTest({ store });
    write(10);
    await started();
    store.replace = () => {
      throw new Error('The disk is gone');
    };
    const cleared = expect(under.replica.clear()).rejects.toThrow('The disk is gone');
    await pass(1);
    await cleared;
    expect([under.replica.size, under.replica.status]).toEqual([0, 'stopped']);
  });

  it('gets the newer rows in memory at the next start after a failure', async () => {
    const memory = memoryStore<ModelRow>();
    let isFull = false;
    const apply: typeof memory.apply = (change) => {
      if (isFull) throw new Error('The disk is full');
      return memory.apply(change);
    };
    under = replicaUnderTest({ store: { ...memory, apply } });
    write(20);
    await started();
    isFull = true;
    write(20);
    await pass(3);
    const prices = new Map(under.replica.all().map(({ id, price }) => [id, price]));
    const older: unknown[] = [];
    under.replica.subscribe(({ upserted }) =>
      older.push(...upserted.filter(({ id, price }) => price <= (prices.get(id) ?? 0))),
    );
    void under.replica.stop();
    isFull = false;
    await started();
    expect(older).toEqual([]);
    expect(under.errors).toHaveLength(1);
    expect(JSON.stringify(under.replica.all())).toBe(under.service.walkNow());
    expect((await memory.load())?.rows).toHaveLength(under.replica.size);
  });

  it('is released by a replica that stops as soon as it starts, if the store is shared', async () => {
    const share: ReplicaStore<ModelRow>['share'] = async (_, peer, signal) => peer.lead(undefined, signal);
    under = replicaUnderTest({ store: { ...memoryStore<ModelRow>(), share } });
    under.replica.start().catch(() => undefined);
    let hasStopped = false;
    void under.replica.stop().then(() => (hasStopped = true));
    await pass(30);
    expect([hasStopped, under.sent.length]).toEqual([true, 0]);
  });

  it('is not called again after it fails; the copy continues in memory', async () => {
    const calls: string[] = [];
    const store = {
      load: () => undefined,
      replace: () => void calls.push('replace'),
      apply: () => {
        calls.push('apply');
        throw new Error('The disk is full');
      },
    };
    under = replicaUnderTest({ store });
    write(5);
    await started();
    for (let round = 0; round < 3; round += 1) {
      write(1);
      await pass(3);
    }
    expect(calls).toEqual(['replace', 'apply']);
    expect(String(under.errors[0])).toContain('cannot be stored, and continues in memory: Error: The disk is full');
    expect(JSON.stringify(under.replica.all())).toBe(under.service.walkNow());
  });

  it('has the copy at the next start, even while the service is unreachable', async () => {
    const store = memoryStore<ModelRow>();
    under = replicaUnderTest({ store });
    write(10);
    await started();
    const stopped = under.replica.stop();
    await pass(1);
    await stopped;
    under.network.isDown = true;
    expect(await started(2.5)).toBe('resolved');
    expect(under.replica.status).toBe('offline');
    expect(JSON.stringify(under.replica.all())).toBe(under.service.walkNow());
  });
});

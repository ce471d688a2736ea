import { randomUUID } from 'node:crypto';
import { createServer, connect, type Server, type Socket } from 'node:net';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';

import { BUSY_MS, redisUnderTest } from '@items/testing';
import { Redis } from 'ioredis';

import { CREDENTIAL_QUOTA } from './quota-options.js';
import { RedisLink, type RedisOutage } from './redis-link.js';
import { RedisThrottlerStorage } from './redis-throttler-storage.js';

const url = process.env['REDIS_URL'] ?? redisUnderTest();
if (url === undefined) process.stderr.write('SKIPPED: quotas in Redis, because there is no Redis: set REDIS_URL.\n');

/** Forwards between the storage and Redis, so that the connection can be cut or stalled. */
class Proxy {
  readonly sockets = new Set<Socket>();
  stalled = false;
  /** Number of packets from the client, which waits for each response before it sends the next. */
  sent = 0;
  private server: Server | undefined;
  private port = 0;

  constructor(private readonly target: URL) {}

  get url(): string {
    return `redis://127.0.0.1:${String(this.port)}${this.target.pathname}`;
  }

  async listen(): Promise<void> {
    this.server = createServer((client) => {
      const upstream = connect(Number(this.target.port || 6379), this.target.hostname);
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        this.sockets.add(from);
        from.on('data', (data) => {
          if (from === client) this.sent++;
          if (!this.stalled) to.write(data);
        });
        from.on('error', () => to.destroy());
        from.on('close', () => to.destroy());
      }
    });
    await new Promise<void>((resolve) => this.server?.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.server.address() as { port: number }).port;
  }

  async cut(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server?.close(resolve));
  }
}

/** An outage ends after this time without a failure. */
const QUIET_MS = 300;

class LoggedOutage implements RedisOutage {
  private isOn = false;
  private end: NodeJS.Timeout | undefined;

  constructor(private readonly lines: string[]) {}

  fail(): void {
    if (!this.isOn) this.lines.push('Redis does not answer');
    this.isOn = true;
    this.stop();
  }

  succeed(): void {
    if (!this.isOn || this.end !== undefined) return;
    this.end = setTimeout(() => {
      this.lines.push('Redis answers again');
      this.isOn = false;
      this.end = undefined;
    }, QUIET_MS);
  }

  stop(): void {
    clearTimeout(this.end);
    this.end = undefined;
  }
}

(url === undefined ? describe.skip : describe)('Quotas in Redis (SPEC §8.1)', () => {
  const keyPrefix = `items-test:${randomUUID()}:`;
  const links: RedisLink[] = [];
  let proxy: Proxy;
  let redis: Redis;

  async function start(at = url ?? ''): Promise<{ link: RedisLink; storage: RedisThrottlerStorage; logged: string[] }> {
    const logged: string[] = [];
    const outage = new LoggedOutage(logged);
    const link = new RedisLink(at, { outage });
    links.push(link);
    await link.onModuleInit();
    return { link, storage: new RedisThrottlerStorage(link, CREDENTIAL_QUOTA, keyPrefix), logged };
  }

  const hit = (storage: RedisThrottlerStorage, key: string, windowMs = 60_000) =>
    storage.increment(key, windowMs, 100, windowMs, CREDENTIAL_QUOTA);

  beforeEach(async () => {
    redis = new Redis(url ?? '');
    proxy = new Proxy(new URL(url ?? ''));
    await proxy.listen();
  });
  afterEach(async () => {
    for (const link of links.splice(0)) link.onApplicationShutdown();
    const keys = await redis.keys(`${keyPrefix}*`);
    if (keys.length > 0) await redis.del(keys);
    redis.disconnect();
    await proxy.cut();
  });

  it('are exact over several instances: each request of a window has a number of its own', async () => {
    const instances = [await start(), await start(), await start()];
    const records = await Promise.all(
      Array.from({ length: 300 }, (_, index) => hit(instances[index % 3]!.storage, 'shared')),
    );
    expect(new Set(records.map((record) => record.totalHits)).size).toBe(300);
    expect(records.filter((record) => !record.isBlocked)).toHaveLength(100);
    expect(instances.flatMap(({ logged }) => logged)).toEqual([]);
  });

  it('have a fixed window that starts with the first request, and leave nothing behind', async () => {
    const { storage } = await start();
    expect(await hit(storage, 'window', 60_000)).toMatchObject({ totalHits: 1, timeToExpire: 60 });
    const keys = await redis.keys(`${keyPrefix}*`);
    expect(keys).toHaveLength(1);
    // Simulates that most of the window has passed: the next request does not begin another one.
    await redis.pexpire(keys[0]!, 20_000);
    expect(await hit(storage, 'window', 60_000)).toMatchObject({ totalHits: 2, timeToExpire: 20 });
    expect(await redis.pttl(keys[0]!)).toBeLessThanOrEqual(20_000);
    await redis.pexpire(keys[0]!, 0);
    expect(await redis.keys(`${keyPrefix}*`)).toEqual([]);
    expect(await hit(storage, 'window', 60_000)).toMatchObject({ totalHits: 1, timeToExpire: 60 });
  });

  const both = (storage: RedisThrottlerStorage, key: string) =>
    storage.hitAll([
      { key, windowMs: 30_000, limit: 20, quota: CREDENTIAL_QUOTA },
      { key: 'all', windowMs: 60_000, limit: 50, quota: CREDENTIAL_QUOTA },
    ]);

  it('shared ones are exact over several instances, and count only requests that the first quota allows', async () => {
    const { storage } = await start();
    const { storage: other } = await start();
    const racers = (key: string, times: number) =>
      Array.from({ length: times }, (_, index) => both(index % 2 === 0 ? storage : other, key));
    const records = await Promise.all(['a', 'b', 'c'].flatMap((key) => racers(key, 40)));
    const passed = records.filter((windows) => windows.length === 2 && !windows[1]?.isBlocked);
    expect(passed).toHaveLength(50);
    expect(records.filter(([own]) => own?.isBlocked)).toHaveLength(60);
    expect(records.filter(([own]) => own?.isBlocked).every((windows) => windows.length === 1)).toBe(true);
    expect((await both(storage, 'd')).map(({ totalHits }) => totalHits)).toEqual([1, 61]);
  });

  it('take a request back from each window that is open, and leave nothing behind for the others', async () => {
    const { storage } = await start();
    const windows = ['one', 'two'].map((key) => ({ key, windowMs: 60_000, limit: 9, quota: CREDENTIAL_QUOTA }));
    await storage.undoAll(windows);
    expect(await redis.keys(`${keyPrefix}*`)).toEqual([]);
    for (let n = 0; n < 2; n += 1) await storage.hitAll(windows);
    await storage.undoAll(windows);
    expect((await storage.hitAll(windows)).map(({ totalHits }) => totalHits)).toEqual([2, 2]);
    const [key] = await redis.keys(`${keyPrefix}*`);
    expect(await redis.pttl(key!)).toBeGreaterThan(0);
  });

  it('shared ones are counted in memory while Redis is away', async () => {
    const { storage, link } = await start();
    link.onApplicationShutdown();
    for (let n = 0; n < 20; n++) await both(storage, 'a');
    expect((await both(storage, 'a')).map(({ isBlocked }) => isBlocked)).toEqual([true]);
    expect((await both(storage, 'b')).map(({ totalHits }) => totalHits)).toEqual([1, 21]);
  });

  it('shared ones take one round trip a request as well', async () => {
    const { storage } = await start(proxy.url);
    await both(storage, 'trip');
    proxy.sent = 0;
    for (let count = 0; count < 10; count++) await both(storage, 'trip');
    expect(proxy.sent).toBe(10);
  });

  it('take one round trip a request', async () => {
    const { storage } = await start(proxy.url);
    await hit(storage, 'trip');
    proxy.sent = 0;
    for (let count = 0; count < 10; count++) await hit(storage, 'trip');
    expect(proxy.sent).toBe(10);
  });

  it('are counted in memory while Redis is away, which is logged once, and in Redis again when it is back', async () => {
    const { storage, link, logged } = await start(proxy.url);
    expect((await hit(storage, 'away')).totalHits).toBe(1);
    await proxy.cut();
    expect((await hit(storage, 'away')).totalHits).toBe(1);
    expect((await hit(storage, 'away')).totalHits).toBe(2);
    expect(logged).toEqual([expect.stringContaining('does not answer')]);
    await proxy.listen();
    const began = performance.now();
    while (!(await link.isAnswering()) && performance.now() - began < 5000) await turn();
    expect((await hit(storage, 'away')).totalHits).toBe(2);
    while (logged.length < 2) await sleep(100);
    expect(logged).toEqual([expect.anything(), expect.stringContaining('answers again')]);
  });

  it('make no request wait long for a Redis that stalls, and at most one request a second', async () => {
    const { storage, logged } = await start(proxy.url);
    await hit(storage, 'stalled');
    proxy.stalled = true;
    const began = Date.now();
    for (let count = 1; count <= 50; count++) expect((await hit(storage, 'stalled')).totalHits).toBe(count);
    // 50 waits of 250 ms would take 12.5 s.
    expect(Date.now() - began).toBeLessThan(5000);
    expect(logged).toHaveLength(1);
  });

  it('are counted in Redis again soon if a connection never responds, because a new one replaces it', async () => {
    const { storage, link, logged } = await start(proxy.url);
    await hit(storage, 'swallowed');
    const [client, upstream] = [...proxy.sockets];
    // The proxy does not close the connection on request either.
    for (const socket of [client!, upstream!]) socket.removeAllListeners('data').pause();
    const began = performance.now();
    while ((await hit(storage, 'swallowed')).totalHits !== 2 || !(await link.isAnswering())) {
      if (performance.now() - began > 10_000) throw new Error('Redis is not used again.');
      await sleep(20);
    }
    expect(performance.now() - began).toBeLessThan(6000);
    expect(logged).toEqual([expect.stringContaining('does not answer')]);
  });

  it('use a new connection if Redis accepts one and never responds', async () => {
    const taken: Socket[] = [];
    const silent = createServer({ allowHalfOpen: true }, (socket) => {
      socket.on('error', () => undefined).resume();
      taken.push(socket);
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { port: number };
    const { storage, link, logged } = await start(`redis://127.0.0.1:${String(port)}`);
    expect((await hit(storage, 'silent')).totalHits).toBe(1);
    const began = performance.now();
    while (taken.length < 2 && performance.now() - began < 8000) await sleep(50);
    link.onApplicationShutdown();
    for (const socket of taken) socket.destroy();
    await new Promise((resolve) => silent.close(resolve));
    expect([taken.length >= 2, logged.length]).toEqual([true, 1]);
  });

  it('are counted in Redis again after a pause, also if the clock was set back meanwhile', async () => {
    const { storage, link } = await start(proxy.url);
    proxy.stalled = true;
    await hit(storage, 'set back');
    proxy.stalled = false;
    const back = Date.now() - 7_200_000;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => back);
    try {
      const began = performance.now();
      while (!(await link.isAnswering()) && performance.now() - began < 5000 + BUSY_MS) await sleep(20);
      expect(performance.now() - began).toBeLessThan(4000 + BUSY_MS);
    } finally {
      clock.mockRestore();
    }
  });

  it('stay shared while this process is too busy to read the responses', async () => {
    const { storage, logged } = await start(url ?? '');
    await hit(storage, 'busy');
    const counted = Array.from({ length: 20 }, () => hit(storage, 'busy'));
    const busyUntil = Date.now() + 600;
    while (Date.now() < busyUntil);
    const totals = (await Promise.all(counted)).map(({ totalHits }) => totalHits);
    expect(totals).toEqual(Array.from({ length: 20 }, (_, i) => i + 2));
    expect(logged).toEqual([]);
  });

  it('do not stop the start if Redis is down', async () => {
    const { storage, logged } = await start('redis://127.0.0.1:1');
    expect((await hit(storage, 'down')).totalHits).toBe(1);
    expect(logged).toHaveLength(1);
  });

  it('stop the start if Redis has no such database', async () => {
    const missing = new URL('/999999', url);
    await expect(start(missing.href)).rejects.toThrow(/^This Redis does not have the database /);
    const link = new RedisLink(missing.href, { noSuchDatabase: () => new Error('Choose another one.') });
    await expect(link.onModuleInit()).rejects.toThrow('Choose another one.');
  });
});

import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { isLongForm, redisUnderTest } from '@items/testing';

import { FakeSentinel } from './fake-sentinel.testing.js';
import { RedisLink } from './redis-link.js';

const url = process.env['REDIS_URL'] ?? redisUnderTest();
/** One failover takes more than a second. */
const FAILOVERS = isLongForm ? 10 : 3;

async function until(holds: () => boolean | Promise<boolean>, withinMs = 10_000): Promise<void> {
  for (const giveUpAt = performance.now() + withinMs; !(await holds()); await sleep(10)) {
    if (performance.now() > giveUpAt) throw new Error(`Not within ${String(withinMs)} ms`);
  }
}

(url === undefined ? describe.skip : describe)('A link to the master that Sentinels name', () => {
  let master: Server;
  let sentinel: FakeSentinel;
  let link: RedisLink;
  const clients = new Set<Socket>();

  /** Ends the connections to the master, which accepts new ones. */
  const cut = (): void => {
    for (const client of clients) client.destroy();
  };

  beforeEach(async () => {
    const { hostname, port } = new URL(url ?? '');
    master = createServer((client) => {
      clients.add(client);
      const upstream = connect(Number(port || 6379), hostname);
      client.pipe(upstream).pipe(client);
      for (const [one, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        one.on('error', () => undefined);
        one.on('close', () => other.destroy());
      }
    });
    await new Promise<void>((resolve) => master.listen(0, '127.0.0.1', resolve));
    sentinel = await FakeSentinel.start((master.address() as { port: number }).port);
    link = new RedisLink(sentinel.url);
    await link.onModuleInit();
  });
  afterEach(async () => {
    link.onApplicationShutdown();
    cut();
    await sentinel.stop();
    await new Promise((resolve) => master.close(resolve));
  });

  /**
   * Announces a failover while the client asks for the master: then ioredis drops the connection and stops
   * reconnecting.
   */
  async function failOver(): Promise<void> {
    await until(() => sentinel.listeners > 0);
    let open = (): void => undefined;
    sentinel.gate = new Promise((resolve) => (open = resolve));
    const before = sentinel.asked;
    cut();
    await until(() => sentinel.asked > before);
    sentinel.announce();
    await sleep(20);
    open();
  }

  it('reconnects after each failover, also if one interrupts a reconnection', async () => {
    for (let n = 0; n < FAILOVERS; n += 1) {
      expect(await link.isAnswering()).toBe(true);
      await failOver();
      await until(() => link.isAnswering());
    }
  });

  it('retries with pauses until it is stopped', async () => {
    await until(() => sentinel.listeners > 0);
    await failOver();
    // The master is not reachable for some time.
    const { port } = master.address() as { port: number };
    cut();
    await new Promise((resolve) => master.close(resolve));
    cut();
    const begun = sentinel.asked;
    await sleep(1500);
    const asked = sentinel.asked - begun;
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThan(15);
    await new Promise<void>((resolve) => master.listen(port, '127.0.0.1', resolve));
    await until(() => link.isAnswering());
    link.onApplicationShutdown();
    const atTheEnd = sentinel.asked;
    await sleep(500);
    expect([sentinel.asked - atTheEnd, await link.isAnswering()]).toEqual([0, false]);
  });
});

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { redisUnderTest } from '@items/testing';

import { RedisLink } from '@items/throttling';
import { RedisWritePositions } from './redis-write-positions.js';

const url = process.env['REDIS_URL'] ?? redisUnderTest();
const UNSURE_MS = 200;

(url === undefined ? describe.skip : describe)('Positions of writes in Redis', () => {
  let links: RedisLink[];
  let one: RedisWritePositions;
  let other: RedisWritePositions;
  let keyPrefix: string;

  const ask = (args: readonly [string, ...string[]]): Promise<string | undefined> =>
    links[0]!.ask((redis) => redis.call(...args) as Promise<string>);

  beforeEach(async () => {
    keyPrefix = `items:test:${randomUUID()}:`;
    links = [new RedisLink(url ?? ''), new RedisLink(url ?? '')];
    for (const link of links) await link.onModuleInit();
    const options = { retentionMs: 5000, uncertainMs: UNSURE_MS, keyPrefix };
    [one, other] = links.map((link) => new RedisWritePositions(link, options)) as [
      RedisWritePositions,
      RedisWritePositions,
    ];
    for (const positions of [one, other]) await positions.latest('ann');
  });
  afterEach(() => {
    for (const link of links) link.onApplicationShutdown();
  });

  it('are not known at first, and then by all instances', async () => {
    expect(await one.record('ann', '0a')).toBe(true);
    expect(await other.latest('ann')).toBeUndefined();
    await sleep(UNSURE_MS);
    expect(await other.latest('ann')).toBe('0a');
    expect(await other.latest('bob')).toBe('');
  });

  it('never decrease, in any order of arrival', async () => {
    await sleep(UNSURE_MS);
    await one.record('ann', '0b');
    await other.record('ann', '0a');
    expect(await one.latest('ann')).toBe('0b');
  });

  it('are unknown for a while if Redis has lost its data', async () => {
    await sleep(UNSURE_MS);
    expect(await one.latest('ann')).toBe('');
    await ask(['DEL', `${keyPrefix}name`]);
    expect(await one.latest('ann')).toBeUndefined();
    expect(await other.latest('ann')).toBeUndefined();
    await sleep(UNSURE_MS);
    expect(await one.latest('ann')).toBe('');
    expect(await other.latest('ann')).toBe('');
  });

  it('are not known for a while after a new connection', async () => {
    await sleep(UNSURE_MS);
    expect(await one.latest('ann')).toBe('');
    const connections = links[0]!.connections;
    await ask(['CLIENT', 'KILL', 'SKIPME', 'no', 'ID', String(await ask(['CLIENT', 'ID']))]);
    while (links[0]!.connections === connections) await sleep(10);
    expect(await one.latest('ann')).toBeUndefined();
  });

  it('are neither known nor recorded if Redis is unavailable', async () => {
    await sleep(UNSURE_MS);
    const away = new RedisLink('redis://127.0.0.1:1');
    const positions = new RedisWritePositions(away, { retentionMs: 5000, uncertainMs: UNSURE_MS });
    expect(await positions.record('ann', '0a')).toBe(false);
    expect(await positions.latest('ann')).toBeUndefined();
    away.onApplicationShutdown();
  });
});

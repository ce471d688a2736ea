import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';

import { measureLatency } from '@items/testing';

import { provideDatabase } from './database.ts';
import { seedFeed } from './seed-feed.ts';
import { startService } from './service.ts';
import type { Dialect } from './size/tables.ts';

/**
 * `npm run tool -- bench-webhooks`: measures the delivery rate to one and to ten webhooks, with a short and a long
 * backlog. The receivers take 10 ms. Also measures the delay after a write, and the effect on requests.
 */
const { values: options } = parseArgs({
  options: {
    databases: { type: 'string', default: 'sqlite,postgres' },
    parts: { type: 'string', default: 'one,backlog,ten,latency,requests' },
    seconds: { type: 'string', default: '6' },
    backlog: { type: 'string', default: '100000' },
    writes: { type: 'string', default: '100' },
  },
});
const SECONDS = Number(options.seconds);
/** More events than can be sent within the measurement. */
const ENOUGH = 2000 * (SECONDS + 2);
const WARM_UP_MS = 1500;
const ENVIRONMENT = { WEBHOOK_ALLOW: '127.0.0.0/8', STOP_DELAY: '0', LOG_LEVEL: 'warn' };

type Service = Awaited<ReturnType<typeof startService>>;
type Receiver = Awaited<ReturnType<typeof startReceiver>>;

const parts: Record<string, (dialect: Dialect) => Promise<void>> = {
  one: (dialect) => rate(`${dialect}: to one webhook`, dialect, 1, ENOUGH),
  backlog: (dialect) => rate(`${dialect}: with ${options.backlog} behind`, dialect, 1, Number(options.backlog)),
  ten: (dialect) => rate(`${dialect}: to ten webhooks`, dialect, 10, ENOUGH),
  latency,
  requests,
};
for (const dialect of options.databases.split(',') as Dialect[]) {
  for (const part of options.parts.split(',')) await parts[part]?.(dialect);
}

async function rate(title: string, dialect: Dialect, webhooks: number, events: number) {
  await withBacklog({ dialect, webhooks, events, delayMs: 10 }, async (service, receiver) => {
    await sleep(WARM_UP_MS);
    const cpuBefore = await service.process.cpuMicros();
    const [before, begun] = [await receiver.count(), performance.now()];
    await sleep(SECONDS * 1000);
    const sent = (await receiver.count()) - before;
    const seconds = (performance.now() - begun) / 1000;
    const micros = ((await service.process.cpuMicros()) - cpuBefore) / sent;
    console.log(`${title}: ${(sent / seconds).toFixed(0)} deliveries a second, ${micros.toFixed(0)} µs of CPU each`);
  });
}

async function requests(dialect: Dialect) {
  // Ten concurrent deliveries take 20 ms each, so 500 end per second.
  await withBacklog({ dialect, webhooks: 1, events: ENOUGH, delayMs: 20 }, async (service, receiver) => {
    const { id } = await post(service, '/items', { name: 'Mug' });
    const { address, headers } = service;
    const measure = async () => {
      const until = sleep(SECONDS * 1000);
      // The rate is low enough that these requests alone do not saturate the service.
      const latency = await measureLatency({ address, paths: [`/items/${id}`], headers, until, perSecond: 400 });
      if (latency.refused > 0) throw new Error(`${latency.refused} requests got another status than 200`);
      return latency;
    };
    await sleep(WARM_UP_MS);
    const before = await receiver.count();
    const sending = await measure();
    const sent = ((await receiver.count()) - before) / SECONDS;
    await receiver.stop();
    await removeWebhooks(service);
    await sleep(WARM_UP_MS);
    const quiet = await measure();
    console.log(
      `${dialect}: p99 of requests ${sending.p99Ms.toFixed(1)} ms while ${sent.toFixed(0)} a second are sent, ` +
        `${quiet.p99Ms.toFixed(1)} ms when quiet: ${(sending.p99Ms / quiet.p99Ms).toFixed(2)}`,
    );
  });
}

async function latency(dialect: Dialect) {
  const { url, drop } = await provideDatabase(dialect);
  const receiver = await startReceiver(10);
  const service = await startService(url, ENVIRONMENT);
  try {
    await post(service, '/webhooks', { url: `${receiver.address}/0`, events: ['*'] });
    await sleep(WARM_UP_MS);
    await tellLatency(`${dialect}: on the same instance`, service, receiver);
    if (dialect === 'sqlite') return;
    const other = await startService(url, ENVIRONMENT);
    await tellLatency(`${dialect}: on another instance`, other, receiver);
    await other.process.stop();
  } finally {
    await service.process.stop();
    await receiver.stop();
    await drop();
  }
}

/** Measures the time from a write's response to the first byte at the receiver. The response follows the commit. */
async function tellLatency(title: string, service: Service, receiver: Receiver) {
  const answeredAt = new Map<string, number>();
  for (let n = 0; n < Number(options.writes); n += 1) {
    const { id } = await post(service, '/items', { name: `Mug ${n}` });
    answeredAt.set(id, performance.timeOrigin + performance.now());
    // A random interval, so that it cannot match a rhythm of the dispatcher.
    await sleep(20 + Math.random() * 60);
  }
  await sleep(WARM_UP_MS);
  const times = await receiver.times();
  const answer = await fetch(`${service.address}/events?limit=100&sort=-timestamp`, { headers: service.headers });
  const { events } = (await answer.json()) as { events: { id: string; data: { object: { id: string } } }[] };
  const delays = events.flatMap(({ id, data }) => {
    const [sent, got] = [answeredAt.get(data.object.id), times.get(`/0 ${id}`)];
    return sent === undefined ? [] : [(got ?? Infinity) - sent];
  });
  const sorted = delays.sort((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? NaN).toFixed(0);
  console.log(`${title}: commit to first byte p50 ${at(0.5)} ms, p99 ${at(0.99)} ms (${sorted.length} writes)`);
}

interface Backlog {
  dialect: Dialect;
  webhooks: number;
  events: number;
  delayMs: number;
}

async function withBacklog(
  { dialect, webhooks, events, delayMs }: Backlog,
  work: (service: Service, receiver: Receiver) => Promise<void>,
) {
  const { url, drop } = await provideDatabase(dialect);
  const receiver = await startReceiver(delayMs);
  try {
    const before = await startService(url, ENVIRONMENT);
    for (let n = 0; n < webhooks; n += 1) {
      await post(before, '/webhooks', { url: `${receiver.address}/${n}`, events: ['*'] });
    }
    await before.process.stop();
    await seedFeed(url, events);
    const service = await startService(url, ENVIRONMENT);
    try {
      await work(service, receiver);
    } finally {
      await service.process.stop();
    }
  } finally {
    await receiver.stop();
    await drop();
  }
}

async function startReceiver(delayMs: number) {
  const thread = new Worker(new URL('receiver.ts', import.meta.url), { workerData: { delayMs } });
  const [{ port }] = await once(thread, 'message');
  const ask = async (word: string) => {
    thread.postMessage(word);
    return (await once(thread, 'message'))[0];
  };
  return {
    address: `http://127.0.0.1:${port}`,
    count: () => ask('count') as Promise<number>,
    times: () => ask('times') as Promise<Map<string, number>>,
    stop: () => thread.terminate(),
  };
}

async function removeWebhooks({ address, headers }: Service) {
  const answer = await fetch(`${address}/webhooks`, { headers });
  const { webhooks } = (await answer.json()) as { webhooks: { id: string }[] };
  for (const { id } of webhooks) await fetch(`${address}/webhooks/${id}`, { method: 'DELETE', headers });
}

async function post({ address, headers }: Service, path: string, body: object): Promise<{ id: string }> {
  const answer = await fetch(address + path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (answer.status !== 201) throw new Error(await answer.text());
  return answer.json() as Promise<{ id: string }>;
}

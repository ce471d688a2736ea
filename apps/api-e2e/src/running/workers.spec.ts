import { setTimeout as sleep } from 'node:timers/promises';

import type { CreatedApiKey } from '@items/dtos/contract';
import { HttpClient, RawConnection, redisUnderTest, startApp, type RunningApp } from '@items/testing';

import { expectStatus } from '../harness/reading.js';
import { tally } from '../harness/quotas.js';
import { databaseUnderTest, describeStarted } from '../harness/service.js';

/** A Redis database that nothing else on a test machine uses. */
const REDIS_DATABASE = 12;
const redisUrl = redisUnderTest();
const describeWithRedis = redisUrl === undefined ? describe.skip : describeStarted;
/** What a busy machine may need to start a process. */
const START_MS = 30_000;

describeWithRedis('Running: WORKERS=2', () => {
  let app: RunningApp;
  let client: HttpClient;

  beforeAll(async () => {
    const env = { WORKERS: '2', REDIS_URL: `redis://${new URL(redisUrl ?? '').host}/${String(REDIS_DATABASE)}` };
    app = await startApp({ database: databaseUnderTest(), env });
    client = new HttpClient({ baseUrl: app.baseUrl, headers: [['X-API-Key', app.adminKey]] });
    await until(() => listening().length === 2);
  });
  afterAll(() => app.stop());

  /** Process ids of the workers that listen, oldest first, as the log tells. */
  const listening = (): number[] => {
    const lines = app.process
      .log()
      .split('\n')
      .filter((line) => line.includes('"worker '))
      .map((line) => JSON.parse(line) as { pid: number; msg: string });
    const ended = new Set(lines.filter(({ msg }) => msg === 'worker ended').map(({ pid }) => pid));
    return lines.filter(({ pid, msg }) => msg === 'worker listens' && !ended.has(pid)).map(({ pid }) => pid);
  };
  /** The workers that answer new connections, by what the ids of their requests begin with. */
  const answering = async (): Promise<Set<string>> => {
    const closing = Array.from({ length: 8 }, () => client.get('/items', ['Connection', 'close']));
    const answers = await Promise.all(closing);
    for (const answer of answers) expectStatus(answer, 200);
    return new Set(answers.map((answer) => answer.header('x-request-id')?.replace(/-[^-]+$/, '') ?? ''));
  };

  it('two processes answer', async () => {
    await until(async () => (await answering()).size === 2);
  });

  it('a quota is exact over both, however many connections race', async () => {
    const limited = { name: 'Key', scopes: ['items:read'], rate_limit: { requests: 60, seconds: 60 } };
    const created = await client.post('/api-keys', limited);
    expectStatus(created, 201);
    const stranger = new HttpClient({ baseUrl: app.baseUrl });
    const key = ['X-API-Key', (created.json() as CreatedApiKey).key] as const;
    const answers = await Promise.all(Array.from({ length: 160 }, () => stranger.get('/items?per_page=1', key)));
    expect(tally(answers)).toEqual({ 200: 60, 429: 100 });
  });

  it('one that is killed is replaced, and the other one serves meanwhile', async () => {
    const [killed = 0, other = 0] = listening();
    process.kill(killed, 'SIGKILL');
    await until(() => !listening().includes(killed));
    expect((await answering()).size).toBeGreaterThanOrEqual(1);
    await until(() => listening().length === 2);
    expect(listening()[0]).toBe(other);
    await until(async () => (await answering()).size === 2);
  });

  it('SIGTERM stops all of them gracefully: what is under way is answered, and nothing is left', async () => {
    const workers = listening();
    // On connections that the workers have: those that wait for one are reset when the port is closed.
    const connections = await Promise.all(Array.from({ length: 32 }, () => RawConnection.open(app.port)));
    const ask = (): void => {
      for (const connection of connections) {
        connection.send(`GET /items HTTP/1.1\r\nHost: x\r\nX-API-Key: ${app.adminKey}\r\n\r\n`);
      }
    };
    const statuses = async (): Promise<unknown[]> =>
      (await Promise.all(connections.map((connection) => connection.nextAnswer()))).map((answer) => answer?.status);
    ask();
    expect(await statuses()).toEqual(connections.map(() => 200));
    ask();
    app.process.signal('SIGTERM');
    expect(await statuses()).toEqual(connections.map(() => 200));
    expect(await app.process.ended).toEqual({ code: 0, signal: null });
    expect(workers.filter(isRunning)).toEqual([]);
  });
});

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + START_MS;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`Not within ${String(START_MS)} ms.`);
    await sleep(20);
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

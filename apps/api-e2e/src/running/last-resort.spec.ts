import { HttpClient, RawConnection, redisUnderTest, startApp, type RunningApp } from '@items/testing';

import { expectStatus } from '../harness/reading.js';
import { databaseUnderTest, describeStartedOnce } from '../harness/service.js';

/** A Redis database that nothing else on a test machine uses. */
const REDIS_DATABASE = 11;
const redisUrl = redisUnderTest();
const itWithRedis = redisUrl === undefined ? it.skip : it;
const WITHIN_MS = 30_000;

/** Faults that no code of the service makes, each at a signal. */
const FAULTS = `
  process.on('SIGUSR2', () => { throw new Error('provoked exception'); });
  process.on('SIGHUP', () => { Promise.reject(new Error('provoked rejection')); });
`;
const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(FAULTS)}`;

describeStartedOnce('§7 A fault that nothing has caught', () => {
  let app: RunningApp;
  afterEach(() => app.stop('SIGKILL'));

  const linesOf = (message: string): Record<string, unknown>[] =>
    app.process
      .log()
      .split('\n')
      .filter((line) => line.includes(message))
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
    const deadline = performance.now() + WITHIN_MS;
    while (!(await holds())) {
      if (performance.now() > deadline) throw new Error(`Not within ${String(WITHIN_MS)} ms:\n${app.process.log()}`);
      await new Promise((next) => setTimeout(next, 20));
    }
  }

  it.each([
    ['exception', 'SIGUSR2'],
    ['rejection', 'SIGHUP'],
  ] as const)(
    '%s: it is logged with its stack, what is under way is answered, and the status is 1',
    async (kind, signal) => {
      app = await startApp({ database: databaseUnderTest(), env: { NODE_OPTIONS } });
      const head = `POST /items HTTP/1.1\r\nHost: x\r\nX-API-Key: ${app.adminKey}\r\nContent-Type: application/json\r\n`;
      const underWay = await RawConnection.open(app.port);
      underWay.send(`${head}Expect: 100-continue\r\nContent-Length: 12\r\n\r\n`);
      expect((await underWay.nextAnswer())?.status).toBe(100);
      app.process.signal(signal);
      await until(() => app.process.log().includes(`provoked ${kind}`));
      underWay.send('{"name":"x"}');
      const answer = await underWay.nextAnswer();
      expect([answer?.status, answer?.header('connection')]).toEqual([201, 'close']);
      expect(await app.process.ended).toEqual({ code: 1, signal: null });
      const [line] = linesOf(`provoked ${kind}`);
      expect(line).toMatchObject({ level: 'fatal', err: { stack: expect.stringContaining('    at ') as string } });
    },
  );

  itWithRedis('under WORKERS the process is replaced at once, while it still answers what is under way', async () => {
    const env = {
      NODE_OPTIONS,
      WORKERS: '2',
      REDIS_URL: `redis://${new URL(redisUrl ?? '').host}/${String(REDIS_DATABASE)}`,
    };
    app = await startApp({ database: databaseUnderTest(), env });
    await until(() => linesOf('worker listens').length === 2);
    const client = new HttpClient({ baseUrl: app.baseUrl, headers: [['X-API-Key', app.adminKey]] });
    const head = `POST /items HTTP/1.1\r\nHost: x\r\nX-API-Key: ${app.adminKey}\r\nContent-Type: application/json\r\n`;
    // One on each worker: connections are handed out in turns.
    const underWay = await Promise.all([RawConnection.open(app.port), RawConnection.open(app.port)]);
    for (const connection of underWay) {
      connection.send(`${head}Expect: 100-continue\r\nContent-Length: 12\r\n\r\n`);
      expect((await connection.nextAnswer())?.status).toBe(100);
    }
    const pid = Number(linesOf('worker listens')[1]?.['pid']);
    process.kill(pid, 'SIGUSR2');
    await until(() => linesOf('provoked exception').length === 1);
    for (const connection of underWay) {
      connection.send('{"name":"x"}');
      expect((await connection.nextAnswer())?.status).toBe(201);
      connection.destroy();
    }
    await until(() => linesOf('worker listens').length === 3);
    await until(() => linesOf('worker ended').length === 1);
    expect(linesOf('worker ended')).toMatchObject([{ pid, code: 1 }]);
    expectStatus(await client.get('/items', ['Connection', 'close']), 200);
  });
});

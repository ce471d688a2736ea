import { RawConnection, startApp, type RunningApp } from '@items/testing';

import { databaseUnderTest, describeStartedOnce } from '../harness/service.js';

const WITHIN_MS = 30_000;

/** Faults that do not occur in the service itself, each at a signal. */
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
    '%s: it is logged with its stack, requests in progress get their responses, and the status is 1',
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
});

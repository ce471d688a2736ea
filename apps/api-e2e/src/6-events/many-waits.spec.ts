import { type Answer, RawConnection, startApp, type RunningApp } from '@items/testing';

import { eventsOf } from '../harness/events.js';
import { databaseUnderTest, describeStarted } from '../harness/service.js';

/** The limit in docs/limits.md. */
const MAX_WAITING = 1000;
const MORE = 40;
/** The maximum of `wait`. */
const WAIT_SECONDS = 20;

describeStarted('§6.1 More long polls than the limit of a process', () => {
  let app: RunningApp;

  beforeAll(async () => {
    app = await startApp({ database: databaseUnderTest(), env: { RATE_LIMIT: '100000/60' } });
  });
  afterAll(() => app.stop());

  it('get an empty page immediately, never 503; the others continue to wait', async () => {
    const target = `/events?wait=${String(WAIT_SECONDS)}`;
    // Opens half of the connections at a time, because the service closes the oldest of 1024 connections without a
    // request.
    const half = (): Promise<RawConnection[]> =>
      Promise.all(Array.from({ length: (MAX_WAITING + MORE) / 2 }, () => RawConnection.open(app.port)));
    const wait = async (connection: RawConnection): Promise<{ answer: Answer; isEarly: boolean }> => {
      const begun = performance.now();
      connection.send(`GET ${target} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${app.adminKey}\r\n\r\n`);
      const answer = await connection.nextAnswer(60_000);
      const isEarly = performance.now() - begun < WAIT_SECONDS * 1000;
      connection.destroy();
      return { answer: answer!, isEarly };
    };
    const first = (await half()).map(wait);
    const ended = await Promise.all([...first, ...(await half()).map(wait)]);
    expect(new Set(ended.map(({ answer }) => answer.status))).toEqual(new Set([200]));
    expect(ended.flatMap(({ answer }) => eventsOf(answer).events)).toEqual([]);
    expect(ended.filter(({ isEarly }) => isEarly)).toHaveLength(MORE);
  });
});

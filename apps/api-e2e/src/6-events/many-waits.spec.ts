import { type Answer, RawConnection, startApp, type RunningApp } from '@items/testing';

import { eventsOf } from '../harness/events.js';
import { databaseUnderTest, describeStarted } from '../harness/service.js';

/** Maximum number of long polls (docs/limits.md). */
const MAX_WAITING = 1000;
const MORE = 40;
/** Maximum value of the parameter `wait`. */
const WAIT_SECONDS = 20;

describeStarted('§6.1 More long polls than the limit of a process', () => {
  let app: RunningApp;

  beforeAll(async () => {
    app = await startApp({ database: databaseUnderTest(), env: { RATE_LIMIT: '100000/60' } });
  });
  afterAll(() => app.stop());

  it('get an empty page immediately, never 503; the others continue to wait', async () => {
    const target = `/events?wait=${String(WAIT_SECONDS)}`;
    // Open the connections in two halves: of 1024 connections without a request, the service closes the oldest.
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

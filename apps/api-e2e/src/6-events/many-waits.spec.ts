import { RawConnection, startApp, type RunningApp } from '@items/testing';

import { eventsOf } from '../harness/events.js';
import { databaseUnderTest, describeStarted } from '../harness/service.js';

/** As docs/limits.md has it. */
const MAX_WAITING = 1000;
const MORE = 40;
/** The longest: a busy machine needs some seconds to open the connections. */
const WAIT_SECONDS = 20;

describeStarted('§6.1 More waits than one process holds', () => {
  let app: RunningApp;

  beforeAll(async () => {
    app = await startApp({ database: databaseUnderTest(), env: { RATE_LIMIT: '100000/60' } });
  });
  afterAll(() => app.stop());

  it('are answered with the empty page at once, never 503; the others wait on', async () => {
    const target = `/events?wait=${String(WAIT_SECONDS)}`;
    const waits = Array.from({ length: MAX_WAITING + MORE }, async () => {
      const connection = await RawConnection.open(app.port);
      const begun = performance.now();
      connection.send(`GET ${target} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${app.adminKey}\r\n\r\n`);
      const answer = await connection.nextAnswer(60_000);
      const isEarly = performance.now() - begun < WAIT_SECONDS * 1000;
      connection.destroy();
      return { answer: answer!, isEarly };
    });
    const ended = await Promise.all(waits);
    expect(new Set(ended.map(({ answer }) => answer.status))).toEqual(new Set([200]));
    expect(ended.flatMap(({ answer }) => eventsOf(answer).events)).toEqual([]);
    expect(ended.filter(({ isEarly }) => isEarly)).toHaveLength(MORE);
  });
});

import { setTimeout as sleep } from 'node:timers/promises';

import { BUSY_MS, RawConnection, startApp, type Answer, type Ending, type RunningApp } from '@items/testing';

import { expectStatus } from '../harness/reading.js';
import { databaseUnderTest, describeStarted, describeStartedOnce } from '../harness/service.js';

const HOST = 'Host: x\r\n';

describeStarted('§7 A graceful stop', () => {
  let app: RunningApp;
  let ending: Ending;
  let stoppedAfterMs: number;
  const answers: Record<string, Answer | undefined> = {};
  const closed: Record<string, boolean> = {};

  /** Opens the connections, requests the stop, and then uses them. */
  beforeAll(async () => {
    app = await startApp({ database: databaseUnderTest() });
    const key = `X-API-Key: ${app.adminKey}\r\n`;
    const [used, fresh, probe, slow, twice] = await Promise.all(
      Array.from({ length: 5 }, () => RawConnection.open(app.port)),
    );
    if (!used || !fresh || !probe || !slow || !twice) throw new Error('No connections');
    for (const connection of [used, twice, probe]) {
      connection.send(`GET /health/ready HTTP/1.1\r\n${HOST}\r\n`);
      expectStatus((await connection.nextAnswer())!, 200);
    }
    slow.send(
      `POST /items HTTP/1.1\r\n${HOST}${key}Content-Type: application/json\r\nContent-Length: 15\r\n\r\n{"name"`,
    );
    await sleep(100);

    const started = performance.now();
    const stopping = app.stop('SIGTERM').then((how) => {
      ending = how;
      stoppedAfterMs = performance.now() - started;
    });
    await sleep(150);
    // Concurrently, because idle connections are closed soon.
    const list = `GET /items HTTP/1.1\r\n${HOST}${key}\r\n`;
    probe.send(`GET /health/ready HTTP/1.1\r\n${HOST}\r\n`);
    used.send(list);
    fresh.send(list);
    twice.send(list + list);
    answers['readiness'] = await probe.nextAnswer();
    answers['used'] = await used.nextAnswer();
    answers['fresh'] = await fresh.nextAnswer();
    expectStatus((await twice.nextAnswer())!, 200);
    answers['behind another'] = await twice.nextAnswer();
    slow.send(':"Lamp"}');
    answers['under way'] = await slow.nextAnswer();
    await stopping;
    await Promise.all([used, fresh, probe, slow].map((connection) => connection.closed(2_000)));
    Object.assign(closed, { used: used.isClosed, fresh: fresh.isClosed, slow: slow.isClosed });
  });

  it('readiness fails first', () => {
    expect(answers['readiness']?.status).toBe(503);
  });

  it.each([
    ['used', 200],
    ['fresh', 200],
    ['behind another', 200],
    ['under way', 201],
  ])('every request on an open connection is still served, with Connection: close: %s', (which, status) => {
    const answer = answers[which];
    expect(answer?.status).toBe(status);
    expect(answer?.header('connection')?.toLowerCase()).toBe('close');
  });

  it('a connection is closed only after a response, or when idle', () => {
    expect(closed).toEqual({ used: true, fresh: true, slow: true });
  });

  it('exit within 9 s after STOP_DELAY, with code 0', () => {
    expect(ending).toEqual({ code: 0, signal: null });
    expect(stoppedAfterMs).toBeLessThan(9_000);
  });
});

describeStartedOnce('§7 A graceful stop for balancers that have not noticed', () => {
  it('accepts new connections for STOP_DELAY, and responds with Connection: close', async () => {
    const app = await startApp({ database: databaseUnderTest(), env: { STOP_DELAY: '2' } });
    const startedMs = performance.now();
    const stopping = app.stop('SIGTERM');
    const seen: unknown[] = [];
    let refusedAfterMs = 0;
    while (refusedAfterMs === 0) {
      const connection = await RawConnection.open(app.port).catch(() => undefined);
      if (connection === undefined) refusedAfterMs = performance.now() - startedMs;
      connection?.send(`GET /health/ready HTTP/1.1\r\n${HOST}\r\n`);
      const answer = await connection?.nextAnswer();
      if (answer !== undefined) seen.push([answer.status, answer.header('connection')?.toLowerCase()]);
      await sleep(100);
    }
    expect((await stopping).code).toBe(0);
    expect(refusedAfterMs).toBeGreaterThan(1900);
    expect(refusedAfterMs).toBeLessThan(2500 + BUSY_MS);
    // The signal may arrive a moment after the first request.
    expect(seen.slice(1).length).toBeGreaterThan(5);
    expect(seen.slice(1)).toEqual(seen.slice(1).map(() => [503, 'close']));
  });
});

describeStarted('§7 A graceful stop under load', () => {
  it('no request is lost: each gets a response, or its connection was refused', async () => {
    const app = await startApp({ database: databaseUnderTest() });
    const request = `GET /items HTTP/1.1\r\n${HOST}X-API-Key: ${app.adminKey}\r\n\r\n`;
    let isStopping = false;
    const lost: string[] = [];

    /** Sends requests until a response says `Connection: close`. */
    async function client(): Promise<void> {
      const connection = await RawConnection.open(app.port);
      for (;;) {
        connection.send(request);
        const answer = await connection.nextAnswer();
        if (answer === undefined) {
          lost.push('closed without an answer');
          return;
        }
        if (answer.status !== 200) lost.push(String(answer.status));
        if (answer.header('connection')?.toLowerCase() === 'close') return;
        if (!isStopping) await sleep(2);
      }
    }

    const clients = Array.from({ length: 16 }, client);
    await sleep(300);
    isStopping = true;
    const ending = await app.stop('SIGTERM');
    await Promise.all(clients);
    expect(lost).toEqual([]);
    expect(ending.code).toBe(0);
  });
});

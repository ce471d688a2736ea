import { setTimeout as sleep } from 'node:timers/promises';

import { RawConnection } from '@items/testing';

import { TestApp } from '../testing/test-app.testing.js';

/** A third of the default times, with a margin for a busy machine. */
const TIMES = { refuseNew: 400, closeIdle: 1_700, endHanging: 2_700, cut: 3_000 };
const BUSY_MS = 10_000;
const GET = 'GET /things HTTP/1.1\r\nHost: x\r\n\r\n';
const HEAD_OF_POST =
  'POST /things HTTP/1.1\r\nHost: x\r\nX-API-Key: k\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n';

let app: TestApp;
beforeEach(async () => {
  app = await TestApp.start();
});
afterEach(() => app.close());

async function connectionWith(text: string): Promise<RawConnection> {
  const connection = await RawConnection.open(app.port);
  connection.send(text);
  await sleep(50);
  return connection;
}

async function usedConnection(): Promise<RawConnection> {
  const connection = await RawConnection.open(app.port);
  connection.send(GET);
  await connection.nextAnswer();
  return connection;
}

const seen = (connection: RawConnection) =>
  connection.answers().map((answer) => [answer.status, answer.header('connection')?.toLowerCase()]);

describe('graceful stop: every request on an open connection is still served, with Connection: close (SPEC §7)', () => {
  it('completes requests in progress', async () => {
    const slow = await connectionWith('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    const body = await connectionWith(HEAD_OF_POST);
    const stopped = app.stopGracefully(TIMES);
    await sleep(200);
    body.send('{"name":"a"}');
    await Promise.all([stopped, slow.closed(BUSY_MS), body.closed(BUSY_MS)]);
    expect([seen(slow), seen(body)]).toEqual([[[200, 'close']], [[201, 'close']]]);
  });

  it('serves a request that comes on an idle connection, and closes idle connections later', async () => {
    const [used, idle] = [await usedConnection(), await usedConnection()];
    const stopped = app.stopGracefully(TIMES);
    used.send(GET);
    await used.closed(BUSY_MS);
    expect(idle.isClosed).toBe(false);
    expect(seen(used)).toEqual([
      [200, 'keep-alive'],
      [200, 'close'],
    ]);
    await Promise.all([stopped, idle.closed(BUSY_MS)]);
    expect(seen(idle)).toEqual([[200, 'keep-alive']]);
  });

  it('serves all pipelined requests, sent before or during the stop, and ends with the last response', async () => {
    const HELD = 'GET /held HTTP/1.1\r\nHost: x\r\n\r\n';
    const [before, after] = [await connectionWith(HELD + GET + HELD), await usedConnection()];
    await app.holding(2);
    const stopped = app.stopGracefully(TIMES);
    after.send(GET.repeat(20) + HELD);
    await app.holding(3);
    after.send(HELD);
    app.release();
    await Promise.all([stopped, before.closed(BUSY_MS), after.closed(BUSY_MS)]);
    const kept = [200, 'keep-alive'];
    expect(seen(before)).toEqual([kept, kept, [200, 'close']]);
    expect(seen(after)).toEqual([...Array.from({ length: 21 }, () => kept), [200, 'close']]);
    expect(app.held).toBe(0);
  });

  it('accepts new connections until the delay ends', async () => {
    const open = await usedConnection();
    const stopped = app.stopGracefully(TIMES);
    const { port } = app;
    const fresh = await usedConnection();
    expect(seen(fresh)).toEqual([[200, 'close']]);
    await sleep(TIMES.refuseNew);
    const refused = async (): Promise<void> => {
      for (;;) await RawConnection.open(port).then((connection) => connection.destroy());
    };
    // It is a reset if the system accepted the connection just before the close.
    await expect(refused()).rejects.toThrow(/ECONNREFUSED|ECONNRESET/);
    expect(open.isClosed).toBe(false);
    open.destroy();
    await stopped;
  });

  it('serves all earlier connections, also those that were not accepted yet', async () => {
    const connecting = Array.from({ length: 100 }, () => RawConnection.open(app.port));
    const stopped = app.stopGracefully({ ...TIMES, refuseNew: 0 });
    const connections = await Promise.all(connecting);
    for (const connection of connections) connection.send(GET);
    await Promise.all([stopped, ...connections.map((connection) => connection.closed(BUSY_MS))]);
    expect(connections.map(seen)).toEqual(connections.map(() => [[200, 'close']]));
  });

  it('ends early if no connection is left', async () => {
    const start = performance.now();
    await app.stopGracefully(TIMES);
    expect(performance.now() - start).toBeLessThan(TIMES.closeIdle);
  });

  it('returns 408 for hanging requests, and ends in time', async () => {
    const stalled = await connectionWith(`${HEAD_OF_POST}{`);
    const silent = await connectionWith('');
    const start = performance.now();
    await app.stopGracefully(TIMES);
    expect(performance.now() - start).toBeLessThan(TIMES.cut + BUSY_MS);
    await Promise.all([stalled.closed(BUSY_MS), silent.closed(BUSY_MS)]);
    expect([seen(stalled), seen(silent)]).toEqual([[[408, 'close']], [[408, 'close']]]);
  });
});

import { setTimeout as sleep } from 'node:timers/promises';

import { RawConnection } from '@items/testing';

import { TestApp } from './test-app.testing.js';

/** A tenth of what the service takes. */
const TIMES = { refuseNew: 100, closeIdle: 500, answerLate: 800, cut: 900 };
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

const seen = (connection: RawConnection) =>
  connection.answers().map((answer) => [answer.status, answer.header('connection')?.toLowerCase()]);

describe('graceful stop: every request on an open connection is still served, with Connection: close (decisions §7)', () => {
  it('answers what is under way', async () => {
    const slow = await connectionWith('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    const body = await connectionWith(HEAD_OF_POST);
    const stopped = app.stopGracefully(TIMES);
    await sleep(200);
    body.send('{"name":"a"}');
    await Promise.all([stopped, slow.closed(1000), body.closed(1000)]);
    expect([seen(slow), seen(body)]).toEqual([[[200, 'close']], [[201, 'close']]]);
  });

  it('answers a request that comes on an idle connection, and closes idle ones later', async () => {
    const [used, idle] = [await connectionWith(GET), await connectionWith(GET)];
    const stopped = app.stopGracefully(TIMES);
    await sleep(300);
    expect(idle.isClosed).toBe(false);
    used.send(GET);
    await used.closed(200);
    expect(seen(used)).toEqual([
      [200, 'keep-alive'],
      [200, 'close'],
    ]);
    await Promise.all([stopped, idle.closed(1000)]);
    expect(seen(idle)).toEqual([[200, 'keep-alive']]);
  });

  it('takes new connections for a moment, and no longer', async () => {
    const open = await connectionWith(GET);
    const stopped = app.stopGracefully(TIMES);
    const { port } = app;
    const fresh = await connectionWith(GET);
    expect(seen(fresh)).toEqual([[200, 'close']]);
    await sleep(200);
    await expect(RawConnection.open(port)).rejects.toThrow('ECONNREFUSED');
    open.destroy();
    await stopped;
  });

  it('is over early where no connection is left', async () => {
    const start = performance.now();
    await app.stopGracefully(TIMES);
    expect(performance.now() - start).toBeLessThan(300);
  });

  it('answers 408 to what hangs, and ends in time', async () => {
    const stalled = await connectionWith(`${HEAD_OF_POST}{`);
    const silent = await connectionWith('');
    const start = performance.now();
    await app.stopGracefully(TIMES);
    expect(performance.now() - start).toBeLessThan(1000);
    await Promise.all([stalled.closed(1000), silent.closed(1000)]);
    expect([seen(stalled), seen(silent)]).toEqual([[[408, 'close']], [[408, 'close']]]);
  });
});

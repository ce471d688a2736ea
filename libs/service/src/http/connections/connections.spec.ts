import { RawConnection } from '@items/testing';

import { TestApp } from '../testing/test-app.testing.js';

const LIMITS = { inAll: 6, silentPerAddress: 4, readerMs: 1_000 };
const GET = 'GET /things HTTP/1.1\r\nHost: x\r\n\r\n';
const HEALTH = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n';
/** Gets no response, because its body does not end. */
const UNENDED = 'POST /things HTTP/1.1\r\nHost: x\r\nX-API-Key: k\r\nContent-Length: 10\r\n\r\n';
const HELD = 'GET /held HTTP/1.1\r\nHost: x\r\n\r\n';

describe('§7 Too many open connections', () => {
  let app: TestApp;
  const opened: RawConnection[] = [];

  const serve = async (env: NodeJS.ProcessEnv = {}, limits = LIMITS): Promise<void> => {
    app = await TestApp.start(env, limits);
  };
  const open = async (localAddress = '127.0.0.1'): Promise<RawConnection> => {
    const connection = await RawConnection.open(app.port, { localAddress });
    opened.push(connection);
    return connection;
  };
  /** Opens connections sequentially, so that the first one is the oldest. */
  const openMany = async (count: number, localAddress?: string): Promise<RawConnection[]> => {
    const many: RawConnection[] = [];
    while (many.length < count) many.push(await open(localAddress));
    return many;
  };
  const statusOf = async (connection: RawConnection, request = GET): Promise<number | undefined> => {
    connection.send(request);
    return (await connection.nextAnswer())?.status;
  };

  afterEach(async () => {
    for (const connection of opened.splice(0)) connection.destroy();
    await app.close();
  });

  it('the oldest silent connection of an address is closed for the next one of this address', async () => {
    await serve();
    const silent = await openMany(LIMITS.silentPerAddress);
    const other = await open('127.0.0.2');
    const next = await open();
    await silent[0]?.closed(1_000);
    expect(await statusOf(next)).toBe(200);
    expect([...silent.slice(1), other].filter(({ isClosed }) => isClosed)).toHaveLength(0);
  });

  it('a connection with half a request, or a head without its body, is silent', async () => {
    await serve();
    const [half, body] = await openMany(2);
    half?.send(GET.slice(0, 30));
    body?.send(UNENDED);
    await openMany(4);
    await half?.closed(1_000);
    await body?.closed(1_000);
  });

  it('a connection with a complete request is not silent, even if its body was slow', async () => {
    await serve();
    const [asked, slow, ...silent] = await openMany(4);
    expect(await statusOf(asked!)).toBe(200);
    slow?.send(UNENDED);
    slow?.send('{"name":1}');
    expect((await slow?.nextAnswer())?.status).toBe(415);
    await openMany(2);
    expect([asked, slow, ...silent].map((connection) => connection?.isClosed)).toEqual([false, false, false, false]);
  });

  it('a trusted proxy has only the overall limit', async () => {
    await serve({ TRUST_PROXY: '127.0.0.0/30' });
    const silent = await openMany(LIMITS.inAll);
    expect(silent.filter(({ isClosed }) => isClosed)).toHaveLength(0);
    const next = await open('127.0.0.9');
    await silent[0]?.closed(1_000);
    expect(await statusOf(next)).toBe(200);
  });

  it('the oldest idle connection is closed if none is silent', async () => {
    await serve();
    const idle: RawConnection[] = [];
    while (idle.length < LIMITS.inAll) {
      const connection = await open();
      expect(await statusOf(connection)).toBe(200);
      idle.push(connection);
    }
    expect(await statusOf(idle[0]!)).toBe(200);
    expect(await statusOf(await open())).toBe(200);
    await idle[1]?.closed(1_000);
    expect(idle.filter(({ isClosed }) => isClosed)).toHaveLength(1);
  });

  it('if all connections are busy, another one gets 503, and health checks are served', async () => {
    await serve();
    const busy: RawConnection[] = [];
    while (busy.length < LIMITS.inAll) {
      const connection = await open();
      connection.send(HELD);
      busy.push(connection);
      await app.holding(busy.length);
    }
    const [refused, oauth, asking] = await openMany(3, '127.0.0.2');
    refused?.send(GET);
    const answer = await refused?.nextAnswer();
    expect([answer?.status, answer?.header('connection'), answer?.json()]).toMatchObject([
      503,
      'close',
      { code: 'overloaded' },
    ]);
    expect(Number(answer?.header('retry-after'))).toBeGreaterThan(0);
    oauth?.send(GET.replace('/things', '/oauth/token'));
    expect((await oauth?.nextAnswer())?.json()).toMatchObject({ error: 'temporarily_unavailable' });
    expect(await statusOf(asking!, HEALTH)).toBe(200);
    app.release();
    for (const connection of busy) expect((await connection.nextAnswer())?.status).toBe(200);
  });

  it('new connections are served again after others have closed', async () => {
    await serve();
    for (const connection of await openMany(LIMITS.inAll)) connection.destroy();
    await app.connections.drained();
    for (const connection of await openMany(3)) expect(await statusOf(connection)).toBe(200);
  });
});

import { RawConnection, rawExchange } from '@items/testing';

import { TestApp } from '../testing/test-app.testing.js';

const HELD = 'GET /held HTTP/1.1\r\nHost: x\r\n\r\n';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.close());

describe('a client that has closed its sending side gets its responses, and then the connection ends (RFC 9112 §9.6)', () => {
  it('for one request', async () => {
    const connection = await RawConnection.open(app.port);
    connection.send(HELD);
    connection.end();
    await app.holding(1);
    app.release();
    expect((await connection.nextAnswer())?.status).toBe(200);
    await connection.closed(3_000);
  });

  it('for more requests than may be in progress concurrently', async () => {
    const connection = await RawConnection.open(app.port);
    connection.send(HELD.repeat(20));
    connection.end();
    await app.holding(16);
    app.release();
    await app.holding(4);
    app.release();
    await connection.closed(3_000);
    expect(connection.answers().map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  });

  it('with 400 for half a request', async () => {
    const { answer } = await rawExchange(app.port, 'GET /things HTTP/1.1\r\nHost', { halfClose: true });
    expect(answer?.status).toBe(400);
  });

  it('without a response if it has sent no request', async () => {
    const { answer } = await rawExchange(app.port, '', { halfClose: true });
    expect(answer).toBeUndefined();
  });
});

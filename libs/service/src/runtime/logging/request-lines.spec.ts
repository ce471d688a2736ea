import { rawExchange } from '@items/testing';

import { TestApp } from '../../http/testing/test-app.testing.js';

describe('one line a request, without secrets', () => {
  it('holds the id, the route, the status and the duration, and neither URL, header nor body', async () => {
    const app = await TestApp.start();
    const body = '{"name":"hush-body"}';
    await rawExchange(
      app.port,
      `POST /things?token=hush-query HTTP/1.1\r\nHost: x\r\nX-API-Key: hush-key\r\nX-Request-Id: r1\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${String(body.length)}\r\n\r\n${body}`,
    );
    await rawExchange(app.port, 'GET /things/hush-path HTTP/1.1\r\nHost: x\r\nX-Request-Id: r2\r\n\r\n');
    await rawExchange(app.port, 'GET /hush-path HTTP/1.1\r\nHost: x\r\nX-Request-Id: r3\r\n\r\n');
    await app.close();
    const line = {
      level: 'info',
      msg: 'request',
      time: expect.any(String) as string,
      duration_ms: expect.any(Number) as number,
      instance: expect.stringMatching(/^.+:\d+$/) as string,
      address: '127.0.0.1',
    };
    expect(app.log).toEqual([
      { ...line, request_id: 'r1', method: 'POST', route: '/things', status: 400 },
      { ...line, request_id: 'r2', method: 'GET', route: '/things/:id', status: 200 },
      { ...line, request_id: 'r3', method: 'GET', status: 404 },
    ]);
    expect(app.lines.join('')).not.toContain('hush');
  });
});

describe('the address in a line', () => {
  /** Returns the addresses in the lines after a request that names 192.0.2.7 as its client. */
  async function loggedAddresses(env: NodeJS.ProcessEnv, target = '/things'): Promise<unknown[]> {
    const app = await TestApp.start(env);
    await rawExchange(app.port, `GET ${target} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.7\r\n\r\n`);
    await app.close();
    return app.log.map(({ address }) => address);
  }

  it('is that of the peer without TRUST_PROXY', async () => {
    expect(await loggedAddresses({})).toEqual(['127.0.0.1']);
  });

  it('is that of the client behind a trusted proxy', async () => {
    expect(await loggedAddresses({ TRUST_PROXY: '127.0.0.1' })).toEqual(['192.0.2.7']);
  });

  it('is also in the line of a slow request', async () => {
    expect(await loggedAddresses({ TRUST_PROXY: '127.0.0.1', SLOW_MS: '100' }, '/slow')).toEqual(['192.0.2.7']);
  });

  it.each(['/things', '/slow'])('is omitted with LOG_ADDRESSES=off: %s', async (target) => {
    expect(await loggedAddresses({ LOG_ADDRESSES: 'off', SLOW_MS: '100' }, target)).toEqual([undefined]);
  });
});

describe('the line of a health check', () => {
  async function levelsOf(env: NodeJS.ProcessEnv, ...targets: readonly string[]): Promise<unknown[]> {
    const app = await TestApp.start(env);
    for (const target of targets) await rawExchange(app.port, `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await app.close();
    return app.log.map(({ level, status }) => [level, status]);
  }

  it('is written at debug if the status is 200', async () => {
    expect(await levelsOf({ LOG_LEVEL: 'debug' }, '/health/live', '/things')).toEqual([
      ['debug', 200],
      ['info', 200],
    ]);
  });

  it('is omitted at info only if the status is 200', async () => {
    expect(await levelsOf({}, '/health/live', '/health/liv')).toEqual([['info', 404]]);
    expect(await levelsOf({}, '/health/failing')).toEqual([['info', 503]]);
  });
});

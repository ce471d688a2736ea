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
    };
    expect(app.log).toEqual([
      { ...line, request_id: 'r1', method: 'POST', route: '/things', status: 400 },
      { ...line, request_id: 'r2', method: 'GET', route: '/things/:id', status: 200 },
      { ...line, request_id: 'r3', method: 'GET', status: 404 },
    ]);
    expect(app.lines.join('')).not.toContain('hush');
  });
});

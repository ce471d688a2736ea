import { HttpClient, RawConnection } from '@items/testing';

import { MetricsServer } from './metrics-server.js';

describe('MetricsServer', () => {
  const errors: object[] = [];
  let text: () => Promise<string>;
  let server: MetricsServer;
  let client: HttpClient;
  let port: number;

  beforeEach(async () => {
    errors.length = 0;
    text = () => Promise.resolve('up 1\n');
    server = new MetricsServer(() => text(), { info: () => undefined, error: (fields) => errors.push(fields) });
    const url = await server.listen({ port: 0, host: '127.0.0.1' });
    port = Number(new URL(url).port);
    client = new HttpClient({ baseUrl: url });
  });
  afterEach(() => server.close());

  it('serves GET and HEAD /metrics, and nothing else', async () => {
    const answer = await client.get('/metrics');
    expect([answer.status, answer.text]).toEqual([200, 'up 1\n']);
    expect(answer.header('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect((await client.head('/metrics')).status).toBe(200);
    expect((await client.post('/metrics', {})).status).toBe(405);
    expect((await client.get('/')).status).toBe(404);
  });

  it('a failure is a 500 without details, and a log line', async () => {
    const error = new Error('a secret');
    text = () => Promise.reject(error);
    const answer = await client.get('/metrics');
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain('secret');
    expect(errors).toEqual([{ err: error }]);
    text = () => Promise.resolve('up 1\n');
    expect((await client.get('/metrics')).status).toBe(200);
  });

  it('computes the text once for many concurrent requests', async () => {
    let made = 0;
    text = () => Promise.resolve(`made ${String((made += 1))}\n`);
    const answers = await Promise.all(Array.from({ length: 12 }, () => client.get('/metrics')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(made).toBeLessThanOrEqual(2);
  });

  it('a silent connection makes room for an active one', async () => {
    const silent = await Promise.all(Array.from({ length: 40 }, () => RawConnection.open(port)));
    for (const connection of silent.slice(0, 20)) connection.send('GET /metrics HTTP/1.1\r\nHost:');
    expect((await client.get('/metrics')).status).toBe(200);
    for (const connection of silent) connection.destroy();
  });

  it('silent connections of one address take at most half of all', async () => {
    const open = (count: number): Promise<RawConnection[]> =>
      Promise.all(Array.from({ length: count }, () => RawConnection.open(port)));
    const silent = await open(8);
    const later = await open(8);
    await Promise.all(silent.map((connection) => connection.closed(5_000)));
    expect(later.filter(({ isClosed }) => isClosed)).toEqual([]);
    for (const connection of later) connection.destroy();
  });

  it('closes immediately, even with open connections', async () => {
    text = () => new Promise(() => undefined);
    const waiting = await RawConnection.open(port);
    waiting.send('GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n');
    const silent = await RawConnection.open(port);
    const began = performance.now();
    await server.close();
    expect(performance.now() - began).toBeLessThan(5_000);
    await Promise.all([waiting, silent].map((connection) => connection.closed(5_000)));
  });
});

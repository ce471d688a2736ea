import { setTimeout as sleep } from 'node:timers/promises';

import { freePort, HttpClient } from '@items/testing';

import { serveStart } from './serve-start.js';

describe('While a service starts', () => {
  let port: number;
  let client: HttpClient;
  let end: () => Promise<void>;

  const start = (lateMs: number): void => {
    end = serveStart({ port, host: '127.0.0.1', headers: { 'api-version': '2026-11-20' }, lateMs });
  };

  beforeEach(async () => {
    port = await freePort();
    client = new HttpClient({ baseUrl: `http://127.0.0.1:${String(port)}`, headers: [['Connection', 'close']] });
  });
  afterEach(() => end());

  async function live(): Promise<number> {
    for (;;) {
      try {
        return (await client.get('/health/live')).status;
      } catch {
        await sleep(10);
      }
    }
  }

  it('it is live and not ready, and all other routes are 503 with Retry-After', async () => {
    start(0);
    expect(await live()).toBe(200);
    const ready = await client.get('/health/ready');
    expect([ready.status, ready.header('api-version')]).toEqual([503, '2026-11-20']);
    for (const path of ['/items', '/nothing', '/', '/healthy']) {
      const answer = await client.get(path);
      expect([answer.status, answer.header('retry-after')]).toEqual([503, '2']);
      expect(answer.json()).toEqual({ error: 'The service is starting.', code: 'starting' });
    }
  });

  it('the port is reserved only until it has started', async () => {
    start(0);
    await live();
    await end();
    start(0);
    expect(await live()).toBe(200);
  });

  it('nothing listens if the start is short', async () => {
    start(50);
    await end();
    await sleep(60);
    await expect(client.get('/health/live')).rejects.toThrow('ECONNREFUSED');
  });
});

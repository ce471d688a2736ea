import { hostname } from 'node:os';

import type { CreatedApiKey } from '@items/dtos/contract';
import { HttpClient, startApp, type RunningApp } from '@items/testing';

import { linesOf } from '../harness/log-lines.js';
import { databaseUnderTest, describeStartedOnce } from '../harness/service.js';

/** 5-authentication/secrets.spec.ts checks that the log has no secrets. */
describeStartedOnce('Logs', () => {
  let app: RunningApp;
  let lines: readonly Record<string, unknown>[];
  let answeredId: string | undefined;

  beforeAll(async () => {
    app = await startApp({ database: databaseUnderTest() });
    const anonymous = new HttpClient({ baseUrl: app.baseUrl });
    const client = anonymous.withHeaders(['X-API-Key', app.adminKey]);
    const created = (await client.post('/api-keys', { name: 'Key', scopes: ['items:read'] })).json() as CreatedApiKey;
    for (let times = 0; times < 5; times += 1) await client.get('/items');
    for (let times = 0; times < 5; times += 1) await anonymous.get('/items', ['X-API-Key', created.key]);
    await anonymous.get('/items');
    await client.get('/events?wait=1');
    answeredId = (await client.get('/items/x')).header('x-request-id');
    await app.end();
    lines = linesOf(app);
  });

  afterAll(() => app.stop());

  it('are structured, one line a request, with request id, credential id, status and duration', () => {
    const requests = lines.filter((line) => line['msg'] === 'request' && line['route'] === '/items');
    expect(requests).toHaveLength(11);
    for (const line of requests) {
      expect(line).toMatchObject({
        request_id: expect.any(String),
        status: expect.any(Number),
        method: expect.any(String),
      });
      expect(typeof line['duration_ms']).toBe('number');
    }
    expect(new Set(requests.map((line) => line['request_id'])).size).toBe(requests.length);
  });

  it('do not report a long poll as slow', () => {
    const [poll] = lines.filter(({ route }) => route === '/events');
    expect(poll).toMatchObject({ level: 'info', msg: 'request', status: 200 });
    expect(poll?.['duration_ms']).toBeGreaterThan(900);
  });

  it('name the credential by its id', () => {
    const ids = new Set(lines.map((line) => line['credential_id']));
    expect(ids).toContain('admin');
    expect(ids.size).toBeGreaterThanOrEqual(2);
  });

  it('carry the X-Request-Id of the response', () => {
    expect(lines.find((line) => line['request_id'] === answeredId)).toMatchObject({ status: 404 });
  });
});

describeStartedOnce('LOG_LEVEL and SLOW_MS', () => {
  it('leave only warnings, each with the process that wrote it; a slow request is a warning', async () => {
    const env = { LOG_LEVEL: 'warn', SLOW_MS: '1' };
    const app = await startApp({ database: databaseUnderTest(), env });
    const user = { username: 'slow', password: 'a password that takes long' };
    await new HttpClient({ baseUrl: app.baseUrl, headers: [['X-API-Key', app.adminKey]] }).post('/users', user);
    await app.end();
    const lines = linesOf(app);
    const instances = new Set(lines.map(({ instance }) => instance));
    expect([...instances]).toEqual([`${hostname()}:${String(app.process.pid)}`]);
    expect(lines.filter(({ level }) => level !== 'warn')).toEqual([]);
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'slow request', route: '/users', status: 201 }));
    await app.stop();
  });
});

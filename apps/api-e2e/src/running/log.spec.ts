import { randomBytes } from 'node:crypto';

import type { CreatedApiKey } from '@items/contracts';
import { HttpClient, rawExchange, startApp, type RunningApp } from '@items/testing';

import { databaseUnderTest, describeStartedOnce } from '../harness/service.js';

/** A word that stands nowhere but where it is put. */
function marker(where: string): string {
  return `MARK-${where}-${randomBytes(8).toString('hex')}`;
}

describeStartedOnce('Logs', () => {
  let app: RunningApp;
  let log: string;
  let lines: Record<string, unknown>[];
  const secrets: Record<string, string> = {};
  const userAgent = 'Shop/1.0';

  beforeAll(async () => {
    app = await startApp({ database: databaseUnderTest() });
    const anonymous = new HttpClient({ baseUrl: app.baseUrl, headers: [['User-Agent', userAgent]] });
    const client = anonymous.with(['X-API-Key', app.adminKey]);
    const hide = (where: string): string => (secrets[where] = marker(where));
    const created = (await client.post('/api-keys', { name: 'Key', scopes: ['items:read'] })).json() as CreatedApiKey;
    Object.assign(secrets, { ADMIN_API_KEY: app.adminKey, 'a new key': created.key });

    await client.get('/items');
    await anonymous.get('/items', ['X-API-Key', created.key]);
    await anonymous.get('/items', ['X-API-Key', hide('bad-key')]);
    await anonymous.get('/items', ['Authorization', `Bearer ${hide('bearer')}`]);
    const basic = Buffer.from(`admin:${hide('basic')}`).toString('base64');
    secrets['Basic in base64'] = basic;
    await anonymous.get('/items', ['Authorization', `Basic ${basic}`]);
    await client.get('/items', ['Authorization', `Bearer ${hide('second-credential')}`]);
    for (const name of ['api_key', 'token', 'Password', 'client_secret'])
      await client.get(`/items?${name}=${hide(name)}`);
    await client.get(`/items?color=${hide('query-value')}`);
    await client.get(`/items?${hide('query-name')}=1`);
    await client.post('/items', { name: hide('body-name'), description: hide('body-description') });
    await client.post('/items', { name: 'x', [hide('unknown-field')]: hide('unknown-value') });
    await client.send('POST', '/items', {
      body: `{"name":"${hide('malformed')}`,
      headers: [['Content-Type', 'application/json']],
    });
    await client.get('/items', ['Cookie', `session=${hide('cookie')}`]);
    await client.post('/items', { name: 'x' }, ['Idempotency-Key', hide('idempotency-key')]);
    await rawExchange(app.port, `GET /${hide('garbage')} HTTP/9\r\nX-API-Key: ${hide('garbage-key')}\r\n\r\n`);
    await rawExchange(app.port, `GET /items/%ZZ?token=${hide('bad-target')} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await client.get('/items/x', ['X-Request-Id', 'forged"}\n']).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 300));
    log = app.process.log();
    lines = log
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }, 30_000);

  afterAll(() => app.stop());

  it('hold no credential, body or query secret ever', () => {
    expect(Object.entries(secrets).filter(([, secret]) => log.includes(secret))).toEqual([]);
    expect(Object.keys(secrets).length).toBeGreaterThan(15);
  });

  it('are structured, one line a request, with request id, credential id, status and duration', () => {
    const requests = lines.filter((line) => line['msg'] === 'request' && line['route'] === '/items');
    expect(requests.length).toBeGreaterThan(10);
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

  it('name the credential by its id', () => {
    const ids = new Set(lines.map((line) => line['credential_id']));
    expect(ids).toContain('admin');
    expect(ids.size).toBeGreaterThanOrEqual(2);
  });

  it('carry the X-Request-Id of the answer', async () => {
    const client = new HttpClient({ baseUrl: app.baseUrl, headers: [['X-API-Key', app.adminKey]] });
    const id = (await client.get('/items/x')).header('x-request-id') ?? 'none';
    await new Promise((resolve) => setTimeout(resolve, 300));
    const line = app.process
      .log()
      .split('\n')
      .find((one) => one.includes(id));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ status: 404 });
  });
});

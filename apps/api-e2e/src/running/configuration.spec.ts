import { AppProcess, freePort, HttpClient, provideDatabase, startApp } from '@items/testing';

import { expectStatus } from '../harness/reading.js';
import { databaseUnderTest, describeStartedOnce } from '../harness/service.js';

/** Wrong values; each stops the service with a sentence that names the variable. */
const WRONG: readonly [variable: string, value: string][] = [
  ['PORT', 'http'],
  ['DATABASE_URL', 'mysql://localhost/items'],
  ['DATABASE_URL', 'sqlite:/dev/null/items.sqlite'],
  ['REDIS_URL', 'redis://127.0.0.1:6379/abc'],
  ['BASE_URL', 'https://api.example.com?a=b'],
  ['BASE_URL', 'https://user:password@api.example.com'],
  ['ADMIN_API_KEY', 'short'],
  ['RATE_LIMIT', '600'],
  ['CURRENCY', 'dollars'],
  ['CURSOR_TTL', '-1'],
  ['REQUIRE_HTTPS', 'perhaps'],
  ['TLS_CERT', '/nowhere/cert.pem'],
  ['TLS_KEY', '/nowhere/key.pem'],
  ['METRICS_PORT', 'yes'],
  ['HEALTH_PORT', 'live'],
  ['WORKERS', '2'],
  ['REUSE_PORT', 'on'],
];

describeStartedOnce('Running: a wrong value stops the service with one sentence that names the variable', () => {
  const outcomes = new Map<string, { code: number | null; log: string }>();

  beforeAll(async () => {
    const { url, drop } = await provideDatabase('sqlite');
    const port = String(await freePort());
    for (let at = 0; at < WRONG.length; at += 4) {
      await Promise.all(
        WRONG.slice(at, at + 4).map(async ([variable, value]) => {
          const app = new AppProcess({ PORT: port, DATABASE_URL: url, [variable]: value });
          const timer = setTimeout(() => app.signal('SIGKILL'), 30_000);
          const { code } = await app.ended;
          clearTimeout(timer);
          outcomes.set(`${variable}=${value}`, { code, log: app.log() });
          app.discard();
        }),
      );
    }
    await drop();
  });

  it.each(WRONG)('%s=%s', (variable, value) => {
    const { code, log } = outcomes.get(`${variable}=${value}`)!;
    expect(code).not.toBe(0);
    expect(code).not.toBeNull();
    expect(log).toContain(variable);
    expect(log).not.toMatch(/\n\s+at /);
    expect(log.trim().split('\n').length).toBeLessThanOrEqual(3);
  });
});

describeStartedOnce('Running: HTTPS', () => {
  it('REQUIRE_HTTPS refuses credentials over plain HTTP with 403, without a redirect, for any claim of a peer', async () => {
    const app = await startApp({ database: databaseUnderTest(), env: { REQUIRE_HTTPS: 'true' } });
    const client = new HttpClient({ baseUrl: app.baseUrl });
    const key = ['X-API-Key', app.adminKey] as const;
    for (const headers of [
      [key],
      [key, ['X-Forwarded-Proto', 'https']],
      [key, ['Forwarded', 'proto=https']],
    ] as const) {
      const answer = await client.send('GET', '/items', { headers });
      expectStatus(answer, 403);
      expect(answer.header('location')).toBeUndefined();
      expect(answer.header('strict-transport-security')).toBeUndefined();
    }
    expectStatus(await client.get('/health/live'), 200);
    expectStatus(await client.get('/nothing', key), 404);
    expectStatus(await client.send('PATCH', '/items', { headers: [key] }), 405);
    expectStatus(await client.get('/items?api_key=x', key), 403);
    expectStatus(await client.send('OPTIONS', '/items', { headers: [key] }), 403);
    expectStatus(await client.send('OPTIONS', '/items'), 204);
    await app.stop();
  });

  it('a trusted proxy may declare that it has terminated TLS', async () => {
    const env = { REQUIRE_HTTPS: 'true', TRUST_PROXY: '127.0.0.1' };
    const app = await startApp({ database: databaseUnderTest(), env });
    const client = new HttpClient({ baseUrl: app.baseUrl, headers: [['X-API-Key', app.adminKey]] });
    expectStatus(await client.get('/items', ['X-Forwarded-Proto', 'http']), 403);
    for (const scheme of ['https', 'HTTPS']) {
      const answer = await client.get('/items', ['X-Forwarded-Proto', scheme]);
      expectStatus(answer, 200);
      expect(answer.header('strict-transport-security')).toMatch(/max-age=\d+/);
    }
    await app.stop();
  });
});

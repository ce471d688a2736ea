import { closingFetch, freePort, HttpClient, startApp } from '@items/testing';

import { linesOf } from '../harness/log-lines.js';
import { expectStatus } from '../harness/reading.js';
import { databaseUnderTest, describeStartedOnce } from '../harness/service.js';

describeStartedOnce('WARM_UP_MS', () => {
  it.each([
    ['', {}],
    [' where HTTPS is required', { REQUIRE_HTTPS: 'true', TRUST_PROXY: '127.0.0.1' }],
  ])(
    'reads the collections of a service before it is ready, without access log lines and metrics%s',
    async (_, more) => {
      const metricsPort = await freePort();
      const env = {
        WARM_UP_MS: '1500',
        LOG_LEVEL: 'debug',
        RATE_LIMIT: '100/60',
        METRICS_PORT: String(metricsPort),
        ...more,
      };
      const app = await startApp({ database: databaseUnderTest(), env });
      const headers = [
        ['X-API-Key', app.adminKey],
        ['X-Forwarded-Proto', 'https'],
      ] as const;
      const client = new HttpClient({ baseUrl: app.baseUrl, headers });
      const first = await client.get('/items');
      expectStatus(first, 200);
      // The warm-up counts in no quota.
      expect(first.header('x-ratelimit-remaining')).toBe('99');
      const metrics = await (await closingFetch(`http://127.0.0.1:${String(metricsPort)}/metrics`)).text();
      await app.end();
      const lines = linesOf(app);
      await app.stop();
      expect(lines.filter(({ msg }) => msg === 'request').map(({ route }) => route)).toContain('/items');
      expect(
        lines.filter(({ msg, route }) => msg === 'request' && route !== '/items' && route !== '/health/ready'),
      ).toEqual([]);
      expect(lines.find(({ msg }) => msg === 'warmed up')).toMatchObject({
        level: 'debug',
        requests: expect.any(Number) as number,
      });
      expect(lines.find(({ msg }) => msg === 'warmed up')?.['requests']).toBeGreaterThan(3);
      expect(metrics).toMatch(/items_http_requests_total\{[^}]*route="\/items"[^}]*\} 1\n/);
    },
    60_000,
  );
});

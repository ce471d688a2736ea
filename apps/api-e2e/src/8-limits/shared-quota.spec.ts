import type { CreatedApiKey } from '@items/contracts';
import { HttpClient, provideDatabase, redisUnderTest, startApp } from '@items/testing';

import { expectStatus } from '../harness/reading.js';
import { databaseUnderTest, describeStartedOnce } from '../harness/service.js';
import { tally } from '../harness/quotas.js';

/** A Redis database that nothing else on a test machine uses. */
const REDIS_DATABASE = 11;
const redisUrl = redisUnderTest();
const describeWithRedis = redisUrl === undefined ? describe.skip : describeStartedOnce;

describeWithRedis('§8 With REDIS_URL, quotas are shared by all instances', () => {
  it('exactly N pass over two instances, however many connections race', async () => {
    const name = databaseUnderTest();
    const database = await provideDatabase(name);
    const env = {
      ADMIN_API_KEY: 'k'.repeat(40),
      REDIS_URL: `redis://${new URL(redisUrl ?? '').host}/${REDIS_DATABASE}`,
    };
    const apps = await Promise.all([1, 2].map(() => startApp({ database: name, databaseUrl: database.url, env })));
    try {
      const [one, two] = apps.map((app) => new HttpClient({ baseUrl: app.baseUrl }));
      const limited = { name: 'Key', scopes: ['items:read'], rate_limit: { requests: 60, seconds: 60 } };
      const created = await one!.with(['X-API-Key', apps[0]!.adminKey]).post('/api-keys', limited);
      expectStatus(created, 201);
      const key = ['X-API-Key', (created.json() as CreatedApiKey).key] as const;
      const racers = Array.from({ length: 160 }, (_, i) => (i % 2 === 0 ? one : two)!.get('/items?per_page=1', key));
      expect(tally(await Promise.all(racers))).toEqual({ 200: 60, 429: 100 });
    } finally {
      await Promise.all(apps.map((app) => app.stop()));
      await database.drop();
    }
  });
});

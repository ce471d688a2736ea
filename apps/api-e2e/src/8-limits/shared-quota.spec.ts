import type { CreatedApiKey, CreatedSession } from '@items/dtos/contract';
import { HttpClient, provideDatabase, redisUnderTest, startApp } from '@items/testing';

import { expectStatus } from '../harness/reading.js';
import { databaseUnderTest, describeStartedOnce } from '../harness/service.js';
import { tally } from '../harness/quotas.js';

/** A Redis database that nothing else on a test machine uses. */
const REDIS_DATABASE = 11;
const redisUrl = redisUnderTest();
const describeWithRedis = redisUrl === undefined ? describe.skip : describeStartedOnce;

/** Tests that all logins of a user share one quota, on both instances. */
async function logins(one: HttpClient, two: HttpClient, adminKey: string): Promise<void> {
  const user = { username: 'shared', password: 'correct horse battery', role: 'member' };
  expectStatus(await one.withHeaders(['X-API-Key', adminKey]).post('/users', user), 201);
  const { username, password } = user;
  const tokens = await Promise.all(
    [one, two, one].map(
      async (at) => ((await at.post('/sessions', { username, password })).json() as CreatedSession).access_token,
    ),
  );
  const racers = Array.from({ length: 700 }, (_, index) => {
    const bearer = ['Authorization', `Bearer ${tokens[index % 3] ?? ''}`] as const;
    return (index % 2 === 0 ? one : two).get('/items?per_page=1', bearer);
  });
  expect(tally(await Promise.all(racers))).toEqual({ 200: 600, 429: 100 });
}

describeWithRedis('§8 With REDIS_URL, quotas are shared by all instances', () => {
  it('exactly N pass over two instances for any number of racing connections', async () => {
    const name = databaseUnderTest();
    const database = await provideDatabase(name);
    const env = {
      ADMIN_API_KEY: 'k'.repeat(40),
      RATE_LIMIT: '600/60',
      REDIS_URL: `redis://${new URL(redisUrl ?? '').host}/${REDIS_DATABASE}`,
    };
    const apps = await Promise.all([1, 2].map(() => startApp({ database: name, databaseUrl: database.url, env })));
    try {
      const [one, two] = apps.map((app) => new HttpClient({ baseUrl: app.baseUrl }));
      const limited = { name: 'Key', scopes: ['items:read'], rate_limit: { requests: 60, seconds: 60 } };
      const created = await one!.withHeaders(['X-API-Key', apps[0]!.adminKey]).post('/api-keys', limited);
      expectStatus(created, 201);
      const key = ['X-API-Key', (created.json() as CreatedApiKey).key] as const;
      const racers = Array.from({ length: 160 }, (_, i) => (i % 2 === 0 ? one : two)!.get('/items?per_page=1', key));
      expect(tally(await Promise.all(racers))).toEqual({ 200: 60, 429: 100 });
      await logins(one!, two!, apps[0]!.adminKey);
    } finally {
      await Promise.all(apps.map((app) => app.stop()));
      await database.drop();
    }
  });
});

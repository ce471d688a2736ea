import { setTimeout as sleep } from 'node:timers/promises';

import type { CreatedApiKey } from '@items/dtos/contract';
import { hasRedisServer, HttpClient, provideDatabase, startApp, WatchedRedis } from '@items/testing';

import { linesOf } from '../harness/log-lines.js';
import { tally } from '../harness/quotas.js';
import { expectStatus } from '../harness/reading.js';
import { eventually } from '../harness/receiver.js';
import { databaseUnderTest, describeStartedOnce } from '../harness/service.js';

if (!hasRedisServer) process.stderr.write('SKIPPED: quotas behind Sentinels: there is no redis-server on the PATH.\n');

(hasRedisServer ? describeStartedOnce : describe.skip)('§8 REDIS_URL names Sentinels', () => {
  it.each(['SIGKILL', 'SIGSTOP'] as const)(
    'quotas are shared again after the master was lost (%s), and no request fails meanwhile',
    async (signal) => {
      const redis = await WatchedRedis.start();
      const name = databaseUnderTest();
      const database = await provideDatabase(name);
      const env = { ADMIN_API_KEY: 'k'.repeat(40), REDIS_URL: redis.url };
      const apps = await Promise.all([1, 2].map(() => startApp({ database: name, databaseUrl: database.url, env })));
      const clients = apps.map(({ baseUrl }) => new HttpClient({ baseUrl }));
      const [admin, other] = clients.map((client) => client.withHeaders(['X-API-Key', env.ADMIN_API_KEY]));

      async function expectShared(): Promise<void> {
        const limited = { name: 'Key', scopes: ['items:read'], rate_limit: { requests: 30, seconds: 600 } };
        const created = await admin!.post('/api-keys', limited);
        expectStatus(created, 201);
        const key = ['X-API-Key', (created.json() as CreatedApiKey).key] as const;
        const asking = Array.from({ length: 80 }, (_, n) => clients[n % 2]!.get('/items?per_page=1', key));
        expect(tally(await Promise.all(asking))).toEqual({ 200: 30, 429: 50 });
      }
      const isUp = async (): Promise<boolean> => {
        const bodies = await Promise.all([admin, other].map((client) => client!.get('/health/ready')));
        return bodies.every((answer) => (answer.json() as { redis: string }).redis === 'ok');
      };

      let isOver = false;
      try {
        await eventually(async () => ((await isUp()) ? true : undefined), 20_000);
        await expectShared();
        const seen: number[] = [];
        const asking = [admin, other].map(async (client) => {
          while (!isOver) {
            seen.push((await client!.get('/items?per_page=1')).status);
            await sleep(10);
          }
        });
        await redis.lose(signal);
        await eventually(async () => ((await isUp()) ? true : undefined), 40_000);
        isOver = true;
        await Promise.all(asking);
        expect(seen.length).toBeGreaterThan(50);
        expect(new Set(seen)).toEqual(new Set([200]));
        await expectShared();
        for (const app of apps) {
          const said = await eventually(() => {
            const lines = linesOf(app).flatMap(({ msg }) => (/^Redis/.test(String(msg)) ? [String(msg)] : []));
            return lines.length >= 2 ? lines : undefined;
          });
          expect(said).toEqual([expect.stringMatching(/^Redis does not answer/), 'Redis answers again']);
        }
      } finally {
        isOver = true;
        await Promise.all(apps.map((app) => app.stop()));
        await database.drop();
        await redis.stop();
      }
    },
    150_000,
  );
});

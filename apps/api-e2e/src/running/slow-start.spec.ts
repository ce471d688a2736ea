import { setTimeout as sleep } from 'node:timers/promises';

import {
  AppProcess,
  askPostgres,
  FragileLink,
  freePort,
  HttpClient,
  provideDatabase,
  startApp,
  type TestDatabase,
} from '@items/testing';

import { linesOf } from '../harness/log-lines.js';
import { errorOf, expectStatus } from '../harness/reading.js';
import { eventually } from '../harness/receiver.js';
import { startsServices } from '../harness/service.js';

/** The lock in `postgres-source.ts`. */
const MIGRATION_LOCK = 0x17e_5eed;
const HOLDERS = `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

(startsServices && globalThis.database === 'postgres' ? describe : describe.skip)(
  'Running: a start on a PostgreSQL that is down',
  () => {
    it('is live and not ready until PostgreSQL is up; then the service serves', async () => {
      const database = await provideDatabase('postgres');
      const { hostname, port: postgresPort } = new URL(database.url);
      const link = await FragileLink.to(hostname, Number(postgresPort));
      link.cut();
      const through = new URL(database.url);
      through.host = `127.0.0.1:${String(link.port)}`;
      const port = await freePort();
      const app = new AppProcess({ PORT: String(port), DATABASE_URL: through.href, STOP_DELAY: '0', WARM_UP_MS: '0' });
      const client = new HttpClient({
        baseUrl: `http://127.0.0.1:${String(port)}`,
        headers: [['Connection', 'close']],
      });
      try {
        const live = await eventually(() => client.get('/health/live').catch(() => undefined), 30_000);
        expect(live.status).toBe(200);
        errorOf(await client.get('/health/ready'), 503);
        // Longer than the former time limit of a start.
        await sleep(16_000);
        expectStatus(await client.get('/health/live'), 200);
        errorOf(await client.get('/health/ready'), 503);
        link.restore();
        await eventually(
          async () => ((await client.get('/health/ready').catch(() => undefined))?.status === 200 ? true : undefined),
          30_000,
        );
        const said = linesOf({ process: app }).filter(({ msg }) => /the start waits for it/.test(String(msg)));
        expect(said).toHaveLength(1);
      } finally {
        app.signal('SIGKILL');
        await app.ended;
        app.discard();
        await link.close();
        await database.drop();
      }
    });
  },
);

(startsServices && globalThis.database === 'postgres' ? describe : describe.skip)(
  'Running: an instance waits for the migrations of another one',
  () => {
    let database: TestDatabase;
    let app: AppProcess;
    let client: HttpClient;

    beforeAll(async () => {
      database = await provideDatabase('postgres');
      await (await startApp({ database: 'postgres', databaseUrl: database.url })).stop();
    });
    afterAll(async () => {
      app.signal('SIGKILL');
      await app.ended;
      app.discard();
      await database.drop();
    });

    it('logs the wait, is live, not ready, and returns 503 on all other routes; then it serves', async () => {
      const migrating = askPostgres(
        database.url,
        `SELECT pg_advisory_lock(${String(MIGRATION_LOCK)}), pg_sleep(60)`,
      ).catch(() => undefined);
      const port = await freePort();
      const key = 'k'.repeat(40);
      app = new AppProcess({ PORT: String(port), DATABASE_URL: database.url, ADMIN_API_KEY: key, STOP_DELAY: '0' });
      client = new HttpClient({
        baseUrl: `http://127.0.0.1:${String(port)}`,
        headers: [
          ['X-API-Key', key],
          ['Connection', 'close'],
        ],
      });
      const live = await eventually(() => client.get('/health/live').catch(() => undefined), 30_000);
      expect([live.status, live.json()]).toEqual([200, { status: 'ok' }]);
      errorOf(await client.get('/health/ready'), 503);
      const refused = await client.get('/items');
      expect([errorOf(refused, 503).code, refused.header('retry-after')]).toEqual(['starting', '2']);
      const said = await eventually(() => {
        const lines = linesOf({ process: app }).filter(({ msg }) => /another instance is migrating/.test(String(msg)));
        return lines.length > 0 ? lines : undefined;
      });
      expect(said).toHaveLength(1);
      await askPostgres(database.url, HOLDERS);
      await migrating;
      await eventually(
        async () => ((await client.get('/health/ready').catch(() => undefined))?.status === 200 ? true : undefined),
        30_000,
      );
      expectStatus(await client.get('/items'), 200);
    });
  },
);

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';

import {
  AppProcess,
  askPostgres,
  freePort,
  HttpClient,
  itemInput,
  provideDatabase,
  type TestDatabase,
} from '@items/testing';

import { linesOf } from '../harness/log-lines.js';
import { errorOf, expectStatus } from '../harness/reading.js';
import { eventually } from '../harness/receiver.js';
import { databaseUnderTest, describeStarted } from '../harness/service.js';

const ADMIN = join(__dirname, '../../../api/dist/admin.js');
const KEY = 'k'.repeat(40);
const GRANTS = `SELECT, INSERT, UPDATE, DELETE ON TABLES`;

describeStarted('Running: MIGRATE=off', () => {
  let database: TestDatabase;
  /** `DATABASE_URL` of the instance; on PostgreSQL, its role may not create tables. */
  let url: string;
  const role = `items_${randomBytes(6).toString('hex')}`;

  beforeAll(async () => {
    database = await provideDatabase(databaseUnderTest());
    url = database.url;
    if (databaseUnderTest() === 'sqlite') return;
    await askPostgres(database.url, `CREATE ROLE ${role} LOGIN PASSWORD '${role}'`);
    await askPostgres(database.url, 'REVOKE CREATE ON SCHEMA public FROM PUBLIC');
    await askPostgres(database.url, `ALTER DEFAULT PRIVILEGES GRANT ${GRANTS} TO ${role}`);
    await askPostgres(database.url, `ALTER DEFAULT PRIVILEGES GRANT USAGE ON SEQUENCES TO ${role}`);
    url = Object.assign(new URL(database.url), { username: role, password: role }).href;
  });
  afterAll(async () => {
    if (databaseUnderTest() === 'postgres') {
      await askPostgres(database.url, `DROP OWNED BY ${role}`);
      await askPostgres(database.url, `DROP ROLE ${role}`);
    }
    await database.drop();
  });

  it('waits, live and not ready, until npm run admin -- migrate has run; then the service serves', async () => {
    const [port, healthPort] = [await freePort(), await freePort()];
    const app = new AppProcess({
      PORT: String(port),
      HEALTH_PORT: String(healthPort),
      DATABASE_URL: url,
      ADMIN_API_KEY: KEY,
      MIGRATE: 'off',
      STOP_DELAY: '0',
      WARM_UP_MS: '0',
    });
    const at = (baseUrl: string): HttpClient =>
      new HttpClient({
        baseUrl,
        headers: [
          ['X-API-Key', KEY],
          ['Connection', 'close'],
        ],
      });
    const health = at(`http://127.0.0.1:${String(healthPort)}`);
    const client = at(`http://127.0.0.1:${String(port)}`);
    const waiting = (): unknown[] => linesOf({ process: app }).filter(({ msg }) => /the start waits/.test(String(msg)));
    try {
      await eventually(() => (waiting().length > 0 ? true : undefined), 30_000);
      expectStatus(await health.get('/health/live'), 200);
      errorOf(await health.get('/health/ready'), 503);
      const env = { PATH: process.env['PATH'], NODE_PATH: process.env['NODE_PATH'], DATABASE_URL: database.url };
      const { stdout } = await promisify(execFile)(process.execPath, [ADMIN, 'migrate'], { env });
      expect(stdout).toMatch(/^The database is up to date: \d+ migrations ran\.$/m);
      await eventually(async () => ((await health.get('/health/ready')).status === 200 ? true : undefined), 30_000);
      expectStatus(await client.post('/items', itemInput({ name: 'Red mug' })), 201);
      expectStatus(await client.get('/items'), 200);
      expectStatus(await client.get('/events'), 200);
      expect(waiting()).toHaveLength(1);
    } finally {
      app.signal('SIGKILL');
      await app.ended;
      app.discard();
    }
  });
});

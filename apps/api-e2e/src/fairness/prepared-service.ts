import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import {
  HttpClient,
  provideDatabase,
  redisUnderTest,
  startApp,
  type DatabaseName,
  type RunningApp,
} from '@items/testing';

import { expectStatus, itemOf } from '../harness/reading.js';
import { PASSWORD, withBasic } from '../harness/users.js';
import { keyOf, memberCredentials, type CredentialHeaders } from './member-credentials.js';
import { seedItems } from './seed-items.js';
import { LONG_NAME } from './worst-requests.js';

const ADMIN = join(__dirname, '../../../api/dist/admin.js');
export const ROWS = 200_000;
/** Number of orders with 100 lines and long names. */
const ORDERS = 60;
const USERNAME = 'mallory';

export interface PreparedService {
  readonly addresses: readonly string[];
  /** A sample of the items. */
  readonly ids: readonly string[];
  /** An item with a long name. */
  readonly itemId: string;
  readonly victim: CredentialHeaders;
  readonly attacker: CredentialHeaders;
  member(): Promise<CredentialHeaders[]>;
  stop(): Promise<void>;
}

/**
 * Starts a service with many items, and a member who has a key and long orders: one process on SQLite, or two with
 * Redis on PostgreSQL.
 */
export async function prepareService(database: DatabaseName): Promise<PreparedService> {
  const filled = await provideDatabase('sqlite');
  await (await startApp({ database: 'sqlite', databaseUrl: filled.url })).stop();
  const ids = seedItems(filled.url, ROWS);
  const used = database === 'sqlite' ? filled : await provideDatabase(database);
  if (used !== filled) copy(filled.url, used.url);
  const redis = database === 'sqlite' ? undefined : redisUnderTest();
  // WARM_UP_MS makes the first request fast, as in production.
  const env = { ADMIN_API_KEY: 'k'.repeat(40), WARM_UP_MS: '1500', ...(redis !== undefined && { REDIS_URL: redis }) };
  const start = (): Promise<RunningApp> => startApp({ database, databaseUrl: used.url, env });
  const apps = [await start(), ...(database === 'sqlite' ? [] : [await start()])];
  const anonymous = new HttpClient({ baseUrl: apps[0]!.baseUrl });
  const victim = { 'x-api-key': env.ADMIN_API_KEY };
  const admin = anonymous.withHeaders(...Object.entries(victim));
  expectStatus(await admin.post('/users', { username: USERNAME, password: PASSWORD, role: 'member' }), 201);
  const itemId = itemOf(await admin.post('/items', { name: LONG_NAME, price: 1 }), 201).id;
  const attacker = await keyOf(withBasic(USERNAME, PASSWORD, anonymous));
  const lines = Array.from({ length: 100 }, () => ({ item_id: itemId, quantity: 1 }));
  const orders = anonymous.withHeaders(...Object.entries(attacker));
  for (let n = 0; n < ORDERS; n += 1) expectStatus(await orders.post('/users/me/orders', { lines }), 201);
  return {
    addresses: apps.map(({ baseUrl }) => baseUrl),
    ids,
    itemId,
    victim,
    attacker,
    member: () => memberCredentials(anonymous, admin, USERNAME),
    stop: async () => {
      for (const app of apps) await app.stop();
      await used.drop();
      await filled.drop();
    },
  };
}

/** Copies an SQLite file into an empty database. */
function copy(from: string, to: string): void {
  const env = { PATH: process.env['PATH'], NODE_PATH: process.env['NODE_PATH'], DATABASE_URL: from };
  execFileSync(process.execPath, [ADMIN, 'copy', '--to', to], { env, stdio: ['ignore', 'ignore', 'inherit'] });
}

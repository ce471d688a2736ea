import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { provideRedis } from '@items/testing';

import { provideDatabase } from '../bench/database.ts';
import { seedItems } from '../bench/seed.ts';
import { workspacePath } from '../workspace/root.ts';
import { startService } from '../bench/service.ts';
import { memberCredentials } from './member-credentials.js';
import { LONG_NAME } from './worst-requests.js';

/** Orders of 100 lines with long names. */
const ORDERS = 60;

/**
 * Starts the built service with many items, and a member who has a key and long orders: one process on SQLite, or two
 * with Redis on PostgreSQL.
 * @param {number} rows number of items.
 * @param {'sqlite' | 'postgres'} [dialect]
 */
export async function preparedService(rows, dialect = 'sqlite') {
  const folder = mkdtempSync(join(tmpdir(), 'fairness-'));
  const file = join(folder, 'items.sqlite');
  await (await startService(file)).process.stop();
  const ids = seedItems(file, rows);
  const postgres = dialect === 'postgres' ? await provideDatabase('postgres') : undefined;
  const redis = postgres && (await provideRedis());
  if (postgres !== undefined) copyTo(postgres.url, file);
  const settings = redis?.url === undefined ? {} : { REDIS_URL: redis.url };
  const instances = [await startService(postgres?.url ?? file, settings)];
  if (postgres !== undefined) instances.push(await startService(postgres.url, settings));
  const [service] = instances;
  if (service === undefined) throw new Error('No instance has started.');
  const { address, headers } = service;
  /** @param {string} path @param {object} body @param {Record<string, string>} [by] credential. */
  const send = async (path, body, by = headers) => {
    const response = await fetch(`${address}${path}`, {
      method: 'POST',
      headers: { ...by, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (response.status !== 201) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
    return /** @type {Record<string, string>} */ (await response.json());
  };
  const password = 'a password that is long enough';
  await send('/users', { username: 'mallory', password, role: 'member' });
  const { id: itemId = '' } = await send('/items', { name: LONG_NAME, price: 1 });
  const basic = { authorization: `Basic ${Buffer.from(`mallory:${password}`).toString('base64')}` };
  const scopes = ['items:read', 'items:write', 'orders:read', 'orders:write'];
  const { key = '' } = await send('/api-keys', { name: 'mallory', scopes }, basic);
  const lines = Array.from({ length: 100 }, () => ({ item_id: itemId, quantity: 1 }));
  for (let n = 0; n < ORDERS; n++) await send('/users/me/orders', { lines }, { 'x-api-key': key });
  return {
    /** Addresses of all instances. */
    addresses: instances.map((instance) => instance.address),
    ids,
    itemId,
    victim: headers,
    attacker: { 'x-api-key': key },
    /** Creates all credentials that the member may have. */
    member: () => memberCredentials({ address, admin: headers, username: 'mallory', password }),
    process: service.process,
    async stop() {
      for (const instance of instances) await instance.process.stop();
      await postgres?.drop();
      await redis?.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Copies an SQLite file into an empty database. @param {string} url @param {string} file */
function copyTo(url, file) {
  const env = { ...process.env, DATABASE_URL: `sqlite:${file}` };
  execFileSync(process.execPath, [workspacePath('apps/api/dist/admin.js'), 'copy', '--to', url], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { seedItems } from '../bench/seed.js';
import { startService } from '../bench/service.js';
import { memberCredentials } from './member-credentials.js';
import { LONG_NAME } from './worst-requests.js';

/** Orders of 100 lines with long names. */
const ORDERS = 60;

/**
 * Starts the built service on SQLite with many items, and a member who has a key and long orders.
 * @param {number} rows number of items.
 * @param {Parameters<typeof startService>[2]} [run] options of its process.
 */
export async function preparedService(rows, run = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'fairness-'));
  const file = join(folder, 'items.sqlite');
  await (await startService(file)).process.stop();
  const ids = seedItems(file, rows);
  const service = await startService(file, {}, run);
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
    address,
    ids,
    itemId,
    victim: headers,
    attacker: { 'x-api-key': key },
    /** Creates all credentials that the member may have. */
    member: () => memberCredentials({ address, admin: headers, username: 'mallory', password }),
    process: service.process,
    async stop() {
      await service.process.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

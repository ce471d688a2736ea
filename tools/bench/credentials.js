import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';

import autocannon from 'autocannon';

import { measure } from './measure.js';
import { printTable } from './report.js';
import { seedItems } from './seed.js';
import { startService } from './service.js';

/**
 * What credentials cost: a request with a key beside the same one with a username and password that are known already;
 * and how long requests with a key take while wrong passwords are hashed beside them.
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '32' },
    logins: { type: 'string', default: '100' },
  },
});

const PASSWORD = 'correct horse battery';
/** Requests with a key at once, while logins are hashed: few enough that the service is not busy with them alone. */
const QUIET_CONNECTIONS = 4;

const folder = mkdtempSync(join(tmpdir(), 'items-bench-'));
const file = join(folder, 'items.sqlite');
await (await startService(file)).process.stop();
const ids = seedItems(file, 1000);
const service = await startService(file);
try {
  await createUser('bench.user');
  const basic = { ...service, name: 'Basic', headers: { authorization: authorization('bench.user', PASSWORD) } };
  const scenario = { name: 'get by id', paths: async () => ids.map((id) => `/items/${id}`) };
  printTable(scenario.name, await measure([{ ...service, name: 'API key' }, basic], scenario, options));

  await createUsers(Number(options.logins));
  const quiet = await latency();
  const storm = wrongLogins(Number(options.logins));
  const loaded = await latency(storm);
  const { statuses, seconds } = await storm;
  console.log(`\n${options.logins} wrong Basic logins at once: ${JSON.stringify(statuses)} in ${seconds.toFixed(1)} s`);
  console.table({ quiet, 'while they run': loaded });
} finally {
  await service.process.stop();
  rmSync(folder, { recursive: true });
}

/** @param {string} username */
async function createUser(username) {
  const answer = await fetch(`${service.address}/users`, {
    method: 'POST',
    headers: { ...service.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: PASSWORD }),
  });
  if (answer.status !== 201) throw new Error(await answer.text());
}

/** @param {number} count */
async function createUsers(count) {
  for (let n = 0; n < count; n++) await createUser(`victim.${n}`);
}

/** @param {number} count */
async function wrongLogins(count) {
  const thread = new Worker(new URL('wrong-logins.js', import.meta.url), {
    workerData: { address: service.address, count },
  });
  const [result] = await once(thread, 'message');
  return /** @type {{ statuses: Record<number, number>, seconds: number }} */ (result);
}

/**
 * Latency of requests with a key, in milliseconds.
 * @param {Promise<unknown>} [until] measured until then, else for some seconds.
 */
async function latency(until) {
  const run = /** @type {Promise<import('autocannon').Result> & import('autocannon').Instance} */ (
    /** @type {unknown} */ (
      autocannon({
        url: service.address,
        connections: QUIET_CONNECTIONS,
        duration: until === undefined ? Number(options.seconds) : 60,
        overallRate: 400,
        headers: service.headers,
        requests: ids.slice(0, 100).map((id) => ({ path: `/items/${id}` })),
      })
    )
  );
  await until?.then(() => run.stop());
  const result = await run;
  return { requests: result.requests.total, 'p50 ms': result.latency.p50, 'p99 ms': result.latency.p99 };
}

/**
 * @param {string} username
 * @param {string} password
 */
function authorization(username, password) {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

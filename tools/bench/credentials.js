import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';

import { measureLatency } from './latency.js';
import { created } from './rows/created.js';
import { seedItems } from './seed.js';
import { startService } from './service.js';
import { median } from './statistics.js';

/**
 * `npm run tool -- bench-credentials`: measures the latency of requests with a key while wrong passwords are hashed.
 * `npm run bench` measures the cost of a cached credential.
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    logins: { type: 'string', default: '100' },
  },
});

const PASSWORD = 'correct horse battery';

const folder = mkdtempSync(join(tmpdir(), 'items-bench-'));
const file = join(folder, 'items.sqlite');
await (await startService(file)).process.stop();
const paths = seedItems(file, 1000).map((id) => `/items/${id}`);
const service = await startService(file);
try {
  const { key } = await created(service, '/api-keys', { name: 'bench', scopes: ['items:read'] });
  for (let n = 0; n < Number(options.logins); n++) {
    await created(service, '/users', { username: `victim.${n}`, password: PASSWORD });
  }
  await compareLatency({ 'x-api-key': String(key) });
} finally {
  await service.process.stop();
  rmSync(folder, { recursive: true });
}

/** @typedef {Awaited<ReturnType<typeof measureLatency>>} Latency */
/**
 * @typedef {{ statuses: Record<string, number>, seconds: string }} Logins number of responses by status, and the time
 * until the last one.
 */

/** @param {Record<string, string>} headers */
async function compareLatency(headers) {
  /** @type {{ quiet: Latency, loaded: Latency, logins: Logins }[]} */
  const samples = [];
  for (let round = 0; round < Number(options.rounds); round++) {
    const quiet = await measureLatency(service.address, paths, headers, sleep(Number(options.seconds) * 1000));
    const begin = await wrongLogins(Number(options.logins));
    const logins = begin();
    const loaded = await measureLatency(service.address, paths, headers, logins);
    samples.push({ quiet, loaded, logins: await logins });
  }
  const last = samples.at(-1)?.logins;
  console.log(
    `\n${options.logins} wrong Basic logins at once: ${JSON.stringify(last?.statuses)} in ${last?.seconds} s`,
  );
  const row = (/** @type {'quiet' | 'loaded'} */ when) => ({
    'p50 ms': Number(median(samples.map((sample) => sample[when].p50Ms)).toFixed(2)),
    'p99 ms': Number(median(samples.map((sample) => sample[when].p99Ms)).toFixed(2)),
  });
  console.table({ quiet: row('quiet'), 'while they run': row('loaded') });
  const ratio = median(samples.map(({ quiet, loaded }) => loaded.p99Ms / quiet.p99Ms));
  console.log(`p99 while they run beside the quiet one: ${ratio.toFixed(1)} times`);
}

/**
 * Prepares wrong logins to send later.
 * @param {number} count
 */
async function wrongLogins(count) {
  const { hostname, port } = new URL(service.address);
  const workerData = { hostname, port: Number(port), count };
  const thread = new Worker(new URL('wrong-logins.js', import.meta.url), { workerData });
  await once(thread, 'message');
  return async () => {
    thread.postMessage('go');
    const [result] = await once(thread, 'message');
    return /** @type {Logins} */ (result);
  };
}

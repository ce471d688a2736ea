import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';

import { measureLatency } from './latency.js';
import { measure, median } from './measure.js';
import { seedItems } from './seed.js';
import { startService } from './service.js';

/**
 * `npm run bench:credentials`: what each kind of credential adds to a request, once it is known to the service; and how
 * long requests with a key take while wrong passwords are hashed beside them.
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '32' },
    logins: { type: 'string', default: '100' },
  },
});

const USERNAME = 'bench.user';
const PASSWORD = 'correct horse battery';
/** Public, so that it answers the same without a credential, and counted, so that a credential is looked at. */
const PUBLIC_PATH = '/docs';

const folder = mkdtempSync(join(tmpdir(), 'items-bench-'));
const file = join(folder, 'items.sqlite');
await (await startService(file)).process.stop();
const paths = seedItems(file, 1000).map((id) => `/items/${id}`);
const service = await startService(file);
try {
  await create('/users', { username: USERNAME, password: PASSWORD });
  const { key } = await create('/api-keys', { name: 'bench', scopes: ['items:read'] });
  const { access_token: token } = await create('/sessions', { username: USERNAME, password: PASSWORD });
  await compareKinds(String(key), String(token));
  for (let n = 0; n < Number(options.logins); n++) {
    await create('/users', { username: `victim.${n}`, password: PASSWORD });
  }
  await compareLatency({ 'x-api-key': String(key) });
} finally {
  await service.process.stop();
  rmSync(folder, { recursive: true });
}

/** @typedef {Awaited<ReturnType<typeof measureLatency>>} Latency */
/** @typedef {{ statuses: Record<string, number>, seconds: string }} Logins which answers they got, and when the last one. */

/**
 * @param {string} key
 * @param {string} token
 */
async function compareKinds(key, token) {
  const basic = Buffer.from(`${USERNAME}:${PASSWORD}`).toString('base64');
  const systems = [
    { ...service, name: 'none', headers: {} },
    { ...service, name: 'API key', headers: { 'x-api-key': key } },
    { ...service, name: 'bearer token', headers: { authorization: `Bearer ${token}` } },
    { ...service, name: 'Basic', headers: { authorization: `Basic ${basic}` } },
  ];
  const results = await measure(systems, { name: 'public', paths: async () => [PUBLIC_PATH] }, options);
  const without = results[0]?.cpuMicrosPerRequest ?? Number.NaN;
  console.log(`\nGET ${PUBLIC_PATH} with a credential that is known already`);
  console.table(
    Object.fromEntries(
      results.map(({ name, cpuMicrosPerRequest: micros }) => [
        name,
        { 'CPU µs/request': Number(micros.toFixed(1)), added: Number((micros - without).toFixed(1)) },
      ]),
    ),
  );
}

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
 * @param {string} path
 * @param {object} body
 * @returns {Promise<Record<string, unknown>>}
 */
async function create(path, body) {
  const answer = await fetch(service.address + path, {
    method: 'POST',
    headers: { ...service.headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (answer.status !== 201) throw new Error(await answer.text());
  return /** @type {Record<string, unknown>} */ (await answer.json());
}

/**
 * Wrong logins that are ready to be sent.
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

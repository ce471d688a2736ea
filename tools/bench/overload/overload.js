import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';

import { createDatabase, freePort } from '@items/testing';

import { startService } from '../service.js';
import { probeLive } from './probe.js';

/**
 * `npm run tool -- bench-overload`: measures the service with more clients than it can serve concurrently, on SQLite
 * and on the PostgreSQL server of TEST_POSTGRES_URL.
 */
const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '64,256,512,1024' },
    seconds: { type: 'string', default: '5' },
    databases: { type: 'string', default: 'sqlite,postgres' },
    loads: { type: 'string', default: 'page,write' },
  },
});

const ROWS = 1000;
const clientScript = fileURLToPath(new URL('closed-loop.js', import.meta.url));
const run = promisify(execFile);

/** @type {Record<string, (key: string) => string[]>} */
const LOADS = {
  page: (key) => [get('/items?limit=20', key)],
  write: (key) => [post(key)],
  mixed: (key) => [get('/items?limit=20', key), get('/items?limit=20', key), get('/items?limit=20', key), post(key)],
};

/** @param {string} path @param {string} key */
function get(path, key) {
  return `GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n\r\n`;
}

/** @param {string} key */
function post(key) {
  const body = JSON.stringify({ name: 'Lamp', color: 'red', price: 12.5 });
  return `POST /items HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** @param {string} name @returns {Promise<{ url: string, drop: () => Promise<void> }>} */
async function databaseOf(name) {
  if (name === 'postgres') return createDatabase(process.env['TEST_POSTGRES_URL'] ?? '');
  const folder = mkdtempSync(join(tmpdir(), 'overload-'));
  return { url: `sqlite:${folder}/items.sqlite`, drop: async () => rmSync(folder, { recursive: true }) };
}

/**
 * @param {import('../server-process.js').ServerProcess} server
 * @param {number} port
 * @param {number} healthPort
 * @param {number} clients
 * @param {string[]} requests
 */
async function measured(server, port, healthPort, clients, requests) {
  const over = new AbortController();
  const probes = Promise.all([probeLive(port, over.signal), probeLive(healthPort, over.signal)]);
  const options = JSON.stringify({ port, clients, seconds: Number(values.seconds), requests });
  const cpuBefore = await server.cpuMicros();
  const { stdout } = await run(process.execPath, [clientScript, options]);
  over.abort();
  const [liveMs, ownLiveMs] = await probes;
  return { ...JSON.parse(stdout), cpuMicros: (await server.cpuMicros()) - cpuBefore, liveMs, ownLiveMs };
}

const row = (/** @type {unknown[]} */ ...cells) => console.log(`| ${cells.join(' | ')} |`);
row(
  'database',
  'load',
  'clients',
  'served/s',
  'p50 ms',
  'p99 ms',
  'CPU µs',
  'refused',
  'live ms',
  'live on HEALTH_PORT ms',
);
row(...Array.from({ length: 10 }, () => '---'));
for (const name of values.databases.split(',')) {
  const database = await databaseOf(name);
  const healthPort = await freePort();
  const service = await startService(database.url, { HEALTH_PORT: String(healthPort) });
  const port = Number(new URL(service.address).port);
  const key = service.headers['x-api-key'];
  try {
    await run(process.execPath, [
      clientScript,
      JSON.stringify({ port, clients: 16, seconds: ROWS / 500, requests: [post(key)] }),
    ]);
    for (const load of values.loads.split(',')) {
      for (const clients of values.clients.split(',')) {
        const { served, refused, statuses, failed, cpuMicros, liveMs, ownLiveMs } = await measured(
          service.process,
          port,
          healthPort,
          Number(clients),
          LOADS[load]?.(key) ?? [],
        );
        const share = `${((100 * refused.perSecond) / (served.perSecond + refused.perSecond)).toFixed(0)} %`;
        const cpu = cpuMicros / served.perSecond / (Number(values.seconds) + 1);
        const whole = [served.perSecond, served.p50Ms, served.p99Ms, cpu].map(Math.round);
        row(name, load, clients, ...whole, share, Math.round(liveMs), Math.round(ownLiveMs));
        if (process.env['DEBUG']) console.log(JSON.stringify({ statuses, failed, served, refused }));
      }
    }
  } finally {
    await service.process.stop();
    await database.drop();
  }
}

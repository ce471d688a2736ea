import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';

import { freePort } from '@items/testing';

import { provideDatabase } from '../database.ts';
import type { ServerProcess } from '../server-process.ts';
import { startService } from '../service.ts';
import type { Dialect } from '../size/tables.ts';
import type { ClosedLoad, ClosedLoaded } from './closed-loop.ts';
import { probeLive } from './probe.ts';

/**
 * `npm run tool -- bench-overload`: measures the service with more clients than it can serve concurrently, on SQLite
 * and on PostgreSQL.
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
const clientScript = join(import.meta.dirname, 'closed-loop.ts');

const LOADS: Record<string, (key: string) => string[]> = {
  page: (key) => [get('/items?limit=20', key)],
  write: (key) => [post(key)],
};

function get(path: string, key: string) {
  return `GET ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n\r\n`;
}

function post(key: string) {
  const body = JSON.stringify({ name: 'Lamp', color: 'red', price: 12.5 });
  return `POST /items HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

async function closedLoop(load: ClosedLoad): Promise<ClosedLoaded> {
  const { stdout } = await promisify(execFile)(process.execPath, [clientScript, JSON.stringify(load)]);
  return JSON.parse(stdout);
}

async function measured(server: ServerProcess, port: number, healthPort: number, clients: number, requests: string[]) {
  const over = new AbortController();
  const probes = Promise.all([probeLive(port, over.signal), probeLive(healthPort, over.signal)]);
  const cpuBefore = await server.cpuMicros();
  const found = await closedLoop({ port, clients, seconds: Number(values.seconds), requests });
  over.abort();
  const [liveMs, ownLiveMs] = await probes;
  return { ...found, cpuMicros: (await server.cpuMicros()) - cpuBefore, liveMs, ownLiveMs };
}

console.log(`| database | load | clients | served/s | p50 ms | p99 ms | CPU µs | refused | live ms | live on HEALTH_PORT ms |
|${' --- |'.repeat(10)}`);
for (const name of values.databases.split(',') as Dialect[]) {
  const database = await provideDatabase(name);
  const healthPort = await freePort();
  const service = await startService(database.url, { HEALTH_PORT: String(healthPort) });
  const port = Number(new URL(service.address).port);
  const key = service.headers['x-api-key'];
  try {
    await closedLoop({ port, clients: 16, seconds: ROWS / 500, requests: [post(key)] });
    for (const load of values.loads.split(',')) {
      for (const clients of values.clients.split(',')) {
        const { served, refused, cpuMicros, liveMs, ownLiveMs } = await measured(
          service.process,
          port,
          healthPort,
          Number(clients),
          LOADS[load]?.(key) ?? [],
        );
        const share = `${((100 * refused.perSecond) / (served.perSecond + refused.perSecond)).toFixed(0)} %`;
        const cpu = cpuMicros / served.perSecond / (Number(values.seconds) + 1);
        const whole = [served.perSecond, served.p50Ms, served.p99Ms, cpu].map(Math.round);
        const cells = [name, load, clients, ...whole, share, Math.round(liveMs), Math.round(ownLiveMs)];
        console.log(`| ${cells.join(' | ')} |`);
      }
    }
  } finally {
    await service.process.stop();
    await database.drop();
  }
}

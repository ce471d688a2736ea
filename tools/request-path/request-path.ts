import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort, waitUntil } from '@items/testing';

import { workspacePath, workspaceRoot } from '../workspace/root.ts';
import type { Entered } from './path-probe.ts';

/*
 * The check `path` of `npm test`: counts our files and functions that one GET, list, POST and PUT execute after a
 * warm-up, by V8's coverage of the service process. Fails above LIMITS. `npm run tool -- request-path --list get` lists
 * the functions.
 */
const KEY = 'path-key-that-is-long-enough-for-the-service';
/** Justify each change that raises a limit. */
const LIMITS: Record<string, readonly [files: number, functions: number]> = {
  get: [26, 84],
  list: [36, 115],
  post: [47, 157],
  put: [47, 156],
};
/** Maximum number of measurements. The lowest is used, because a timer may run during a request. */
const TRIES = 40;
const WARM = 200;
const listed = process.argv[process.argv.indexOf('--list') + 1];

const folder = mkdtempSync(join(tmpdir(), 'request-path-'));
const port = await freePort();
const address = `http://127.0.0.1:${port}`;
const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };
const service = fork(workspacePath('apps/api/dist/main.js'), [], {
  execArgv: ['--import', new URL('path-probe.ts', import.meta.url).href],
  env: {
    ...process.env,
    PORT: String(port),
    HOST: '127.0.0.1',
    DATABASE_URL: `sqlite:${join(folder, 'items.sqlite')}`,
    ADMIN_API_KEY: KEY,
    RATE_LIMIT: '1000000000/60',
    STOP_DELAY: '0',
    LOG_LEVEL: 'warn',
  },
  stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
});
try {
  await waitUntil('the service is ready', () => fetch(`${address}/health/ready`).then(({ ok }) => ok), 60_000);
  const item = { name: 'Teapot', price: 1.5, color: 'red' };
  const create = () => call('/items', { method: 'POST', body: JSON.stringify(item) });
  const { id } = await create();
  for (let count = 0; count < 30; count++) await create();
  const requests = {
    get: () => call(`/items/${id}`),
    list: () => call('/items?limit=20'),
    post: create,
    put: () => call(`/items/${id}`, { method: 'PUT', body: JSON.stringify(item) }),
  };
  for (const [name, request] of Object.entries(requests)) {
    for (let count = 0; count < WARM; count++) await request();
    const [files, functions] = LIMITS[name] ?? [0, 0];
    const isWithin = () => measured.length <= files && functionsOf(measured) <= functions;
    let measured = await entered(request);
    for (let count = 1; count < TRIES && !isWithin(); count++) {
      const again = await entered(request);
      if (functionsOf(again) < functionsOf(measured)) measured = again;
    }
    console.log(
      `${name}: ${measured.length} files, ${functionsOf(measured)} functions (at most ${files}, ${functions})`,
    );
    if (!isWithin()) process.exitCode = 1;
    if (listed === name) {
      for (const each of measured.sort((a, b) => (a.file < b.file ? -1 : 1))) {
        console.log(
          `  ${relative(workspaceRoot, each.file)}: ${each.functions.map((f) => f.name || '(anonymous)').join(', ')}`,
        );
      }
    }
  }
} finally {
  service.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}

async function entered(request: () => Promise<unknown>) {
  await sleep(100);
  await measure('start');
  await request();
  await sleep(20);
  return measure('take');
}

function functionsOf(measured: readonly Entered[]) {
  return measured.reduce((sum, { functions }) => sum + functions.length, 0);
}

async function call(path: string, init?: RequestInit): Promise<{ id: string }> {
  const response = await fetch(address + path, { ...init, headers });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response.json() as Promise<{ id: string }>;
}

async function measure(step: 'start' | 'take'): Promise<Entered[]> {
  service.send({ measure: step });
  const [{ measured }] = await once(service, 'message');
  return measured;
}

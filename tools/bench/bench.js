import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { measure } from './measure.js';
import { printTable } from './report.js';
import { seedItems } from './seed.js';
import { ServerProcess, workspacePath } from './server-process.js';
import { startService } from './service.js';

/**
 * `npm run bench`: the built service, with a key and its quotas, beside bare Fastify with a prepared statement. Rounds
 * of both alternate in one run, since machines are noisy: the ratios and the CPU time per request carry over to
 * another machine, requests per second do not.
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '32' },
    items: { type: 'string', default: '100000' },
  },
});

/** Pages walked before the one that is measured: somewhere in the list, not at its start. */
const PAGES_BEFORE = 50;

const folder = mkdtempSync(join(tmpdir(), 'items-bench-'));
const file = join(folder, 'items.sqlite');
/** @type {ServerProcess[]} */
const servers = [];
try {
  console.log(`Seeding ${options.items} items …`);
  await (await startService(file)).process.stop();
  const ids = seedItems(file, Number(options.items));
  const service = await startService(file);
  servers.push(service.process);
  const baseline = new ServerProcess(workspacePath('tools/bench/baseline-server.js'), [file], process.env);
  servers.push(baseline);
  const systems = [
    { name: 'bare Fastify', process: baseline, address: await baseline.address(), headers: {} },
    { name: 'the service', ...service },
  ];
  /** @type {import('./measure.js').Scenario[]} */
  const scenarios = [
    { name: 'get by id', paths: async () => ids.map((id) => `/items/${id}`) },
    { name: 'cursor page of 20', paths: async (system) => [await pageAfter(system, PAGES_BEFORE)] },
    {
      name: 'cursor page of 20, an item replaced since',
      paths: async (system) => {
        const path = await pageAfter(system, PAGES_BEFORE);
        if (system.process !== baseline) await replaceItem(system, String(ids[0]));
        return [path];
      },
    },
  ];
  for (const scenario of scenarios) printTable(scenario.name, await measure(systems, scenario, options));
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  rmSync(folder, { recursive: true });
}

/**
 * @param {import('./measure.js').System} system
 * @param {number} pages
 */
async function pageAfter({ address, headers }, pages) {
  let path = '/items?sort=price&limit=20';
  for (let page = 0; page < pages; page++) {
    const answer = await fetch(address + path, { headers });
    const { next_cursor: cursor } = /** @type {{ next_cursor: string }} */ (await answer.json());
    path = `/items?sort=price&limit=20&cursor=${cursor}`;
  }
  return path;
}

/**
 * @param {import('./measure.js').System} system
 * @param {string} id
 */
async function replaceItem({ address, headers }, id) {
  const answer = await fetch(`${address}/items/${id}`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Replaced' }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

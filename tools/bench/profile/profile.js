import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

import { LoadProcess } from '../load/load-process.js';
import { pin } from '../pin.js';
import { gets, pages } from '../rows/reads.js';
import { posts } from '../rows/writes.js';
import { workspacePath } from '../server-process.js';
import { Systems } from '../systems/systems.js';
import { layerOf, layers } from './layers.js';

/*
 * `npm run tool -- bench-profile`: shows how much CPU time of a request each layer takes, in the service and in bare
 * Fastify. V8 samples the running functions. The shares apply to the CPU time of a request without the profiler.
 */
const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '32' },
    items: { type: 'string', default: '100000' },
    node: { type: 'string', default: process.execPath },
  },
});
const WARM_UP = { seconds: 20, count: 6000 };
const seconds = Number(options.seconds);
const workspaces = [pathToFileURL(workspacePath('')).href, workspacePath('')];

const probe = new URL('profile-probe.js', import.meta.url).href;
const systems = new Systems({ rows: Number(options.items), node: options.node, imports: [probe] });
const generator = new LoadProcess();
/** @type {Record<string, Record<string, number>>} */
const table = {};
try {
  pin(process.pid, 'load');
  const pair = await systems.sqlite();
  const kinds = { get: gets(pair), page: await pages(pair), POST: posts(pair) };
  for (const [kind, contestants] of Object.entries(kinds)) {
    for (const contestant of contestants) {
      const column = `${kind}, ${contestant.name}`;
      const { micros, shares } = await profiled(contestant);
      for (const layer of layers)
        (table[layer] ??= {})[column] = Number((micros * (shares.get(layer) ?? 0)).toFixed(1));
      (table['CPU µs'] ??= {})[column] = Number(micros.toFixed(1));
    }
  }
  console.table(table);
} finally {
  generator.stop();
  await systems.stop();
}

/** @param {import('../measure.js').Contestant} contestant */
async function profiled(contestant) {
  const server = contestant.process;
  await generator.open(contestant, Number(options.connections));
  await generator.load(WARM_UP);
  const before = await server.cpuMicros();
  const { requests } = await generator.load({ seconds });
  const micros = ((await server.cpuMicros()) - before) / requests;
  server.child.send('profile');
  await once(server.child, 'message');
  await generator.load({ seconds });
  server.child.send('profiled');
  const [{ places }] = await once(server.child, 'message');
  await generator.close();
  return { micros, shares: sharesOf(places) };
}

/** @param {import('./profile-probe.js').Place[]} places @returns {Map<string, number>} by layer, of 1. */
function sharesOf(places) {
  /** @type {Map<string, number>} */
  const shares = new Map();
  const busy = places.filter(({ name }) => name !== '(idle)');
  const all = busy.reduce((sum, { samples }) => sum + samples, 0);
  for (const place of busy) {
    const layer = layerOf({ ...place, file: relative(place.file), caller: relative(place.caller) });
    shares.set(layer, (shares.get(layer) ?? 0) + place.samples / all);
  }
  return shares;
}

/** Removes the path of the workspace, which belongs to no layer. @param {string} file */
function relative(file) {
  return workspaces.reduce((path, workspace) => path.replace(workspace, ''), file);
}

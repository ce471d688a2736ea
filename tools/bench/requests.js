import { httpRequest } from './load/http-request.js';

/** Pages read before the measured one, so that it is not at the start of the list. */
const PAGES_BEFORE = 50;
const COLORS = ['red', 'green', 'blue', 'black', 'white', 'yellow', 'orange', null];
/** Not a divisor of the number of ids, so that each replacement of an item has new values. */
const REPLACEMENTS = 4999;

/** @typedef {import('./systems.js').System} System */
/** @typedef {import('./systems.js').Running} Running */
/** @typedef {Running & import('./load/load-process.js').Target} Contestant a server and its requests. */

/**
 * A row of the benchmark. `of` returns undefined for a system that has no such request.
 * @typedef {object} Row
 * @property {string} name
 * @property {string} title
 * @property {(system: System, running: Running, ids: readonly string[]) => Promise<Contestant | undefined>} of
 */

/** @type {readonly Row[]} */
export const rows = [
  {
    name: 'get',
    title: 'get by id',
    of: async ({ member }, running, ids) => reading(running, ids.map(member)),
  },
  {
    name: 'total',
    title: 'page of 20 with its total',
    of: async ({ total }, running) => reading(running, [total]),
  },
  {
    name: 'cursor',
    title: 'cursor page of 20',
    of: async (system, running) => {
      if (!system.hasCursors) return undefined;
      let path = system.first;
      for (let page = 0; page < PAGES_BEFORE; page++) path = (await readPage(system, running, path)).next ?? path;
      return reading(running, [path]);
    },
  },
  {
    name: 'replace',
    title: 'replace (PUT)',
    of: async ({ member }, running, ids) => {
      const paths = Array.from({ length: REPLACEMENTS }, (_, n) => member(String(ids[n % ids.length])));
      const requests = paths.map((path, n) => httpRequest('PUT', path, running.headers, itemOf(n)));
      return { ...running, expected: 200, requests };
    },
  },
  {
    name: 'create',
    title: 'create (POST)',
    of: async ({ collection, created = 201 }, running) => {
      const bodies = Array.from({ length: 1000 }, (_, n) => itemOf(n));
      const requests = bodies.map((body) => httpRequest('POST', collection, running.headers, body));
      return { ...running, expected: created, requests };
    },
  },
];

/** Reads a page of a walk. @param {System} system @param {Running} running @param {string} path */
export async function readPage(system, { address, headers }, path) {
  const response = await fetch(address + path, { headers });
  if (!response.ok) throw new Error(`${system.title}: ${response.status} for ${path}: ${await response.text()}`);
  return system.page(await response.json(), response.headers, path);
}

/** @param {Running} running @param {readonly string[]} paths @returns {Contestant} */
function reading(running, paths) {
  return { ...running, expected: 200, requests: paths.map((path) => httpRequest('GET', path, running.headers)) };
}

function itemOf(/** @type {number} */ n) {
  return {
    name: `Mug ${n % 1000}`,
    description: `A mug of stoneware, as they were made in ${1000 + (n % 999)}`,
    color: COLORS[n % COLORS.length],
    price: (n * 7919) % 10_000,
  };
}

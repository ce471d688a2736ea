import { httpRequest } from './load/http-request.ts';
import type { Running, System } from './systems.ts';
import type { Target } from './load/load-process.ts';

/** Number of pages read first, so that the measured page is inside the list. */
const PAGES_BEFORE = 50;
const COLORS = ['red', 'green', 'blue', 'black', 'white', 'yellow', 'orange', null];
/**
 * Number of different PUT requests, sent in rotation. Each of the 1000 ids gets several bodies, so that each PUT
 * changes its item.
 */
const REPLACEMENTS = 4999;

export type Contestant = Running & Target;

/** A row of the benchmark. `of` returns undefined if the system lacks the request. */
export interface Row {
  name: string;
  title: string;
  of: (system: System, running: Running, ids: readonly string[]) => Promise<Contestant | undefined>;
}

export const rows: readonly Row[] = [
  {
    name: 'get',
    title: 'get by id',
    of: async ({ member }, running, ids) => reading(running, ids.map(member)),
  },
  {
    name: 'total',
    title: 'page of 20 with its total',
    of: async ({ totalPath }, running) => reading(running, [totalPath]),
  },
  {
    name: 'cursor',
    title: 'cursor page of 20',
    of: async (system, running) => {
      if (!system.hasCursors) return undefined;
      let path = system.firstPath;
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

export async function readPage(system: System, { address, headers }: Running, path: string) {
  const response = await fetch(address + path, { headers });
  if (!response.ok) throw new Error(`${system.title}: ${response.status} for ${path}: ${await response.text()}`);
  return system.page(await response.json(), response.headers, path);
}

function reading(running: Running, paths: readonly string[]): Contestant {
  return { ...running, expected: 200, requests: paths.map((path) => httpRequest('GET', path, running.headers)) };
}

function itemOf(n: number) {
  return {
    name: `Mug ${n % 1000}`,
    description: `A mug of stoneware, as they were made in ${1000 + (n % 999)}`,
    color: COLORS[n % COLORS.length],
    price: (n * 7919) % 10_000,
  };
}

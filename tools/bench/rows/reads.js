import { httpRequest } from '../load/http-request.js';

/** Pages read before the measured one, so that it is not at the start of the list. */
const PAGES_BEFORE = 50;
/** V8 optimizes the code of a page only after thousands of calls. */
const PAGE_WARM_UP = 6000;
const TOTAL_PATH = '/items?sort=price&page=2&per_page=20';

/** @typedef {import('../systems/systems.js').System} System */

/** @param {'sqlite' | 'postgres'} dialect @returns {import('../rows.js').Row[]} */
export function reads(dialect) {
  if (dialect === 'postgres') {
    return [
      {
        name: 'pg-get',
        title: 'PostgreSQL: get by id',
        aim: 0.7,
        contestants: async (systems) => gets(await systems.postgres()),
      },
      {
        name: 'pg-page',
        title: 'PostgreSQL: cursor page of 20',
        aim: 0.8,
        warmUp: PAGE_WARM_UP,
        contestants: async (systems) => pages(await systems.postgres()),
      },
    ];
  }
  return [
    {
      name: 'get',
      title: 'get by id',
      everywhere: true,
      aim: 0.8,
      contestants: async (systems) => [...gets(await systems.sqlite()), await usualGet(systems)],
    },
    {
      name: 'page',
      title: 'cursor page of 20',
      everywhere: true,
      aim: 1.15,
      warmUp: PAGE_WARM_UP,
      contestants: async (systems) => pages(await systems.sqlite()),
    },
    {
      name: 'page-written',
      title: 'cursor page of 20, an item replaced since',
      everywhere: true,
      aim: 1,
      warmUp: PAGE_WARM_UP,
      contestants: async (systems) => {
        const pair = await systems.sqlite();
        const contestants = await pages(pair);
        await replaceItem(pair.service, String(pair.ids[0]));
        return contestants;
      },
    },
    {
      name: 'total',
      title: 'page of 20 with its exact total',
      everywhere: true,
      aim: 1.2,
      warmUp: PAGE_WARM_UP,
      contestants: async (systems) => {
        const { baseline, service, usual } = await systems.sqlite();
        return [baseline, service, await usual()].map((system) => asked(system, [TOTAL_PATH]));
      },
    },
  ];
}

/** @param {import('../systems/systems.js').Pair} pair */
export function gets({ baseline, service, ids }) {
  return [baseline, service].map((system) => asked(system, itemPaths(ids)));
}

/** @param {import('../systems/systems.js').Systems} systems */
async function usualGet(systems) {
  const { usual, ids } = await systems.sqlite();
  return asked(await usual(), itemPaths(ids));
}

/** Requests the same page of each system. @param {import('../systems/systems.js').Pair} pair */
export function pages({ baseline, service }) {
  return Promise.all([baseline, service].map(async (system) => asked(system, [await pageAfter(system)])));
}

/** @param {System} system @param {readonly string[]} paths */
export function asked(system, paths, headers = system.headers) {
  return { ...system, expected: 200, requests: paths.map((path) => httpRequest('GET', path, headers)) };
}

/** @param {readonly string[]} ids */
export function itemPaths(ids) {
  return ids.map((id) => `/items/${id}`);
}

/** @param {System} system */
async function pageAfter({ address, headers }) {
  let path = '/items?sort=price&limit=20';
  for (let page = 0; page < PAGES_BEFORE; page++) {
    const answer = await fetch(address + path, { headers });
    const { next_cursor: cursor } = /** @type {{ next_cursor: string }} */ (await answer.json());
    path = `/items?sort=price&limit=20&cursor=${cursor}`;
  }
  return path;
}

/** @param {System} system @param {string} id */
async function replaceItem({ address, headers }, id) {
  const answer = await fetch(`${address}/items/${id}`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ name: `Replaced at ${Date.now()}` }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

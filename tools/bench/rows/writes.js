import { httpRequest } from '../load/http-request.js';

/** @typedef {import('../systems/systems.js').System} System */
/** @typedef {import('../systems/systems.js').Pair} Pair */

const COLORS = ['red', 'green', 'blue', 'black', 'white', 'yellow', 'orange', null];
/** Not a divisor of the number of ids, so that each replacement of an item has new values. */
const REPLACEMENTS = 4999;

/** @param {'sqlite' | 'postgres'} dialect @returns {import('../rows.js').Row[]} */
export function writes(dialect) {
  if (dialect === 'postgres') {
    return [
      {
        name: 'pg-post',
        title: 'PostgreSQL: POST',
        aim: 0.8,
        contestants: async (systems) => {
          return posts(await systems.postgres());
        },
      },
    ];
  }
  return [
    {
      name: 'post',
      title: 'POST, durable',
      everywhere: true,
      aim: 0.75,
      contestants: async (systems) => {
        const pair = await systems.sqlite();
        return [...posts(pair), posting(await pair.usual())];
      },
    },
    {
      name: 'put',
      title: 'PUT, durable',
      everywhere: true,
      aim: 0.85,
      contestants: async (systems) => {
        const { baseline, service, usual, ids } = await systems.sqlite();
        return [baseline, service, await usual()].map((system) => putting(system, ids));
      },
    },
  ];
}

/** @param {Pair} pair */
export function posts({ baseline, service }) {
  return [baseline, service].map(posting);
}

/** @param {System} system */
function posting(system) {
  const requests = Array.from({ length: 1000 }, (_, n) => httpRequest('POST', '/items', system.headers, item(n)));
  return { ...system, expected: 201, requests };
}

/** @param {System} system @param {string[]} ids */
function putting(system, ids) {
  const requests = Array.from({ length: REPLACEMENTS }, (_, n) =>
    httpRequest('PUT', `/items/${ids[n % ids.length]}`, system.headers, item(n)),
  );
  return { ...system, expected: 200, requests };
}

function item(/** @type {number} */ n) {
  return {
    name: `Mug ${n % 1000}`,
    description: `A mug of stoneware, as they were made in ${1000 + (n % 999)}`,
    color: COLORS[n % COLORS.length],
    price: (n * 7919) % 10_000,
  };
}

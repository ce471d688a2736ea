import { join } from 'node:path';

import { installFixture } from '../workspace/install-fixture.js';
import { workspaceRoot } from '../workspace/root.js';
import { runNode } from '../workspace/run.js';
import { ServerProcess, workspacePath } from './server-process.js';
import { startService } from './service.js';

/** @typedef {{ process: ServerProcess, address: string, headers: Record<string, string> }} Running */
/** @typedef {{ ids: string[], next: string | undefined }} Page its ids, and the path of the next page. */

/**
 * A column of the benchmark: a server and how its interface names things.
 * @typedef {object} System
 * @property {string} name
 * @property {string} title
 * @property {string} collection path of the collection, for POST.
 * @property {(id: string) => string} member
 * @property {boolean} [serial] whether its ids are 1, 2, 3 …
 * @property {number} [unit] a price of 1, as its rows have it; default: 1.
 * @property {number} [created] status of a creation; default: 201.
 * @property {string} total the second page of 20 by price, with the total.
 * @property {string} first the first page of 20 by price, of a walk.
 * @property {boolean} hasCursors otherwise a walk is by page numbers.
 * @property {(body: any, headers: Headers, path: string) => Page} page reads a page of a walk.
 * @property {(body: any, headers: Headers) => number} count reads the total.
 * @property {boolean} [hasFeed] whether `/events` lists its changes.
 * @property {() => Promise<void>} [prepare] installs and compiles it.
 * @property {(database: string) => Promise<Running>} start
 */

const items = {
  collection: '/items',
  member: (/** @type {string} */ id) => `/items/${id}`,
  total: '/items?sort=price&page=2&per_page=20',
  first: '/items?sort=price&limit=20',
  hasCursors: true,
  page: (/** @type {any} */ body) => ({
    ids: idsOf(body.items),
    next: body.next_cursor && `/items?sort=price&limit=20&cursor=${encodeURIComponent(body.next_cursor)}`,
  }),
  count: (/** @type {any} */ body) => body.total,
};

/** @type {System} */
const own = {
  ...items,
  name: 'items',
  title: 'this service',
  hasFeed: true,
  start: (database) => startService(database),
};
/** A column of `--events-off`. @type {System} */
const withoutEvents = {
  ...own,
  name: 'items-without-events',
  title: 'this service, `EVENTS=off`',
  hasFeed: false,
  start: (database) => startService(database, { EVENTS: 'off' }),
};

/** @type {readonly System[]} */
export const systems = [
  own,
  ...(process.argv.includes('--events-off') ? [withoutEvents] : []),
  {
    ...items,
    name: 'fastify',
    title: 'bare Fastify',
    start: (database) => {
      const dialect = database.startsWith('postgres') ? 'postgres' : 'sqlite';
      return script(workspacePath(`tools/bench/baseline/${dialect}.js`), database);
    },
  },
  {
    ...items,
    name: 'nest-drizzle',
    title: 'Nest, Fastify, Drizzle',
    prepare: async () => {
      const folder = await installFixture('bench/nest-drizzle');
      const { ok } = await runNode([join(workspaceRoot, 'node_modules/typescript-7/bin/tsc'), '-p', folder]);
      if (!ok) throw new Error('nest-drizzle could not be compiled.');
    },
    start: (database) => script(workspacePath('tmp/fixtures/bench/nest-drizzle/dist/main.js'), database),
  },
  {
    ...items,
    name: 'nest-typeorm',
    title: 'Nest, Express, TypeORM',
    hasCursors: false,
    first: '/items?sort=price&page=1&per_page=20',
    page: (body, _, path) => ({
      ids: idsOf(body.items),
      next: body.items.length < 20 ? undefined : path.replace(/page=\d+/, `page=${body.page + 1}`),
    }),
    start: (database) => script(workspacePath('tools/bench/usual-nest/dist/main.js'), database),
  },
  {
    name: 'platformatic',
    title: 'Platformatic',
    serial: true,
    unit: 100,
    created: 200,
    collection: '/things',
    member: (id) => `/things/${id}`,
    total: '/things?orderby.price=asc&orderby.id=asc&limit=20&offset=20&totalCount=true',
    first: '/things?orderby.price=asc&orderby.id=asc&limit=20&cursor=true',
    hasCursors: true,
    page: (body, headers) => ({
      ids: idsOf(body),
      next:
        body.length < 20
          ? undefined
          : `/things?orderby.price=asc&orderby.id=asc&limit=20&cursor=true&startAfter=${encodeURIComponent(headers.get('x-start-after') ?? '')}`,
    }),
    count: (_, headers) => Number(headers.get('x-total-count')),
    prepare: async () => void (await installFixture('conformance/platformatic')),
    start: (database) => script(workspacePath('tmp/fixtures/conformance/platformatic/service.mjs'), database),
  },
];

function idsOf(/** @type {{ id: string }[]} */ rows) {
  return rows.map(({ id }) => String(id));
}

/** @param {string} path @param {string} database @returns {Promise<Running>} */
async function script(path, database) {
  const server = new ServerProcess(path, [database], process.env);
  return { process: server, address: await server.address(), headers: { 'x-api-key': 'usual-key' } };
}

import { installFixture } from '../workspace/install-fixture.ts';
import { runNode } from '../workspace/run.ts';
import { ServerProcess } from './server-process.ts';
import { workspacePath } from '../workspace/root.ts';
import { startService } from './service.ts';

export interface Running {
  process: ServerProcess;
  address: string;
  headers: Record<string, string>;
}
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- each system has a different page format
type Body = any;
export interface Page {
  ids: string[];
  next: string | undefined;
}

/** A column of the benchmark: a server, with its paths and formats. */
export interface System {
  name: string;
  title: string;
  /** Path of the collection, for POST. */
  collection: string;
  member: (id: string) => string;
  /** The ids are 1, 2, 3 … */
  serial?: boolean;
  /** The number that the API uses for a price of 1. Default: 1. */
  unit?: number;
  /** Status of a creation; default: 201. */
  created?: number;
  /** Path of the second page of 20 by price, with the total. */
  totalPath: string;
  /** Path of the first page of 20 by price, from which a walk starts. */
  firstPath: string;
  /** If false, a walk uses page numbers. */
  hasCursors: boolean;
  page: (body: Body, headers: Headers, path: string) => Page;
  count: (body: Body, headers: Headers) => number;
  /** If true, `/events` lists changes. */
  hasFeed?: boolean;
  prepare?: () => Promise<void>;
  start: (database: string) => Promise<Running>;
}

export interface Started {
  system: System;
  running: Running;
}

const items = {
  collection: '/items',
  member: (id: string) => `/items/${id}`,
  totalPath: '/items?sort=price&page=2&per_page=20',
  firstPath: '/items?sort=price&limit=20',
  hasCursors: true,
  page: (body: Body) => ({
    ids: idsOf(body.items),
    next: body.next_cursor && `/items?sort=price&limit=20&cursor=${encodeURIComponent(body.next_cursor)}`,
  }),
  count: (body: Body) => body.total,
};

const own: System = {
  ...items,
  name: 'items',
  title: 'this service',
  hasFeed: true,
  start: (database) => startService(database),
};
/** Column that the option `--events-off` adds. */
const withoutEvents: System = {
  ...own,
  name: 'items-without-events',
  title: 'this service, `EVENTS=off`',
  hasFeed: false,
  start: (database) => startService(database, { EVENTS: 'off' }),
};

export const systems: readonly System[] = [
  own,
  ...(process.argv.includes('--events-off') ? [withoutEvents] : []),
  {
    ...items,
    name: 'fastify',
    title: 'bare Fastify',
    start: (database) => {
      const dialect = database.startsWith('postgres') ? 'postgres' : 'sqlite';
      return script(workspacePath(`tools/bench/baseline/${dialect}.ts`), database);
    },
  },
  {
    ...items,
    name: 'nest-drizzle',
    title: 'Nest, Fastify, Drizzle',
    prepare: async () => {
      const folder = await installFixture('bench/nest-drizzle');
      const { ok } = await runNode(['node_modules/typescript-7/bin/tsc', '-p', folder]);
      if (!ok) throw new Error('nest-drizzle could not be compiled.');
    },
    start: (database) => script(workspacePath('tmp/fixtures/bench/nest-drizzle/dist/main.js'), database),
  },
  {
    ...items,
    name: 'nest-typeorm',
    title: 'Nest, Express, TypeORM',
    hasCursors: false,
    firstPath: '/items?sort=price&page=1&per_page=20',
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
    totalPath: '/things?orderby.price=asc&orderby.id=asc&limit=20&offset=20&totalCount=true',
    firstPath: '/things?orderby.price=asc&orderby.id=asc&limit=20&cursor=true',
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

function idsOf(rows: { id: string }[]) {
  return rows.map(({ id }) => String(id));
}

async function script(path: string, database: string): Promise<Running> {
  const server = new ServerProcess(path, [database], process.env);
  return { process: server, address: await server.address(), headers: { 'x-api-key': 'usual-key' } };
}

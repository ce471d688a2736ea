import type { Options } from '@items/conformance';

export interface ForeignService {
  /** Also the name of the folder in tools/fixtures/conformance. */
  name: string;
  what: string;
  naming?: NonNullable<Options['naming']>;
  /** Returns the arguments of Node. The environment variable `PORT` also contains the port. */
  command: (port: number) => string[];
}

const jsonServer = (port: number) => ['--host', '127.0.0.1', '--port', String(port), 'db.json'];

/** Services of other authors to test. `naming` maps our names to those of the service. */
export const services: ForeignService[] = [
  {
    name: 'json-server',
    what: 'json-server 0.17.4, with an empty collection `items`',
    naming: { member: null, query: { page: '_page', per_page: '_limit', sort: '_sort' } },
    command: (port) => ['node_modules/json-server/lib/cli/bin.js', ...jsonServer(port)],
  },
  {
    name: 'json-server-1',
    what: 'json-server 1.0.0-beta.15, with an empty collection `items`',
    naming: { member: 'data', total: 'items', query: { page: '_page', per_page: '_per_page', sort: '_sort' } },
    command: (port) => ['node_modules/json-server/lib/bin.js', ...jsonServer(port)],
  },
  {
    name: 'nestjs-crud',
    what: 'a Nest 11 application with @dataui/crud 5.3.4 on Express (`tools/fixtures/conformance/nestjs-crud`)',
    naming: { member: 'data', query: { per_page: 'limit' } },
    command: () => ['service.mjs'],
  },
  {
    name: 'nestjs-paginate',
    what: 'a Nest 11 application with nestjs-paginate 15.0.1 on Express (`tools/fixtures/conformance/nestjs-paginate`)',
    naming: { member: 'data', total: 'meta.totalItems', query: { per_page: 'limit', sort: 'sortBy' } },
    command: () => ['service.mjs'],
  },
  {
    name: 'feathers',
    what: 'an application with Feathers 5.0.34 on Express, in memory (`tools/fixtures/conformance/feathers`)',
    naming: { member: 'data', query: { limit: '$limit' } },
    command: () => ['service.mjs'],
  },
  {
    name: 'loopback',
    what: 'an application of LoopBack 4 (rest 15.0.16, rest-crud 0.19.11), in memory (`tools/fixtures/conformance/loopback`)',
    naming: { member: null },
    command: () => ['service.mjs'],
  },
  {
    name: 'platformatic',
    what: 'the REST interface of Platformatic DB (sql-openapi 3.67.0) on SQLite (`tools/fixtures/conformance/platformatic`)',
    naming: { member: null },
    command: () => ['service.mjs'],
  },
];

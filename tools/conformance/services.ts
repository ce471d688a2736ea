import type { Options } from '@items/conformance';

export interface ForeignService {
  name: string;
  what: string;
  /** A folder of tools/fixtures/conformance with its own lock file. Without it, an example of the workspace is used. */
  vendor?: string;
  /** A folder of the workspace that is copied and compiled. */
  example?: string;
  naming?: NonNullable<Options['naming']>;
  /** Arguments of Node. The environment variable `PORT` has the port too. */
  command: (port: number) => string[];
}

const jsonServer = (port: number) => ['--host', '127.0.0.1', '--port', String(port), 'db.json'];

/** Services of other authors to judge, with the names that they use. */
export const services: ForeignService[] = [
  {
    name: 'json-server',
    what: 'json-server 0.17.4, with an empty collection `items`',
    vendor: 'json-server',
    naming: { member: null, query: { page: '_page', per_page: '_limit', sort: '_sort' } },
    command: (port) => ['node_modules/json-server/lib/cli/bin.js', ...jsonServer(port)],
  },
  {
    name: 'json-server-1',
    what: 'json-server 1.0.0-beta.15, with an empty collection `items`',
    vendor: 'json-server-1',
    naming: { member: 'data', total: 'items', query: { page: '_page', per_page: '_per_page', sort: '_sort' } },
    command: (port) => ['node_modules/json-server/lib/bin.js', ...jsonServer(port)],
  },
  {
    name: 'nestjs-crud',
    what: 'a Nest 11 application with @dataui/crud 5.3.4 on Express (`tools/fixtures/conformance/nestjs-crud`)',
    vendor: 'nestjs-crud',
    naming: { member: 'data', query: { per_page: 'limit' } },
    command: () => ['service.mjs'],
  },
  {
    name: 'nestjs-paginate',
    what: 'a Nest 11 application with nestjs-paginate 15.0.1 on Express (`tools/fixtures/conformance/nestjs-paginate`)',
    vendor: 'nestjs-paginate',
    naming: { member: 'data', total: 'meta.totalItems', query: { per_page: 'limit', sort: 'sortBy' } },
    command: () => ['service.mjs'],
  },
  {
    name: 'feathers',
    what: 'an application with Feathers 5.0.34 on Express, in memory (`tools/fixtures/conformance/feathers`)',
    vendor: 'feathers',
    naming: { member: 'data', query: { limit: '$limit' } },
    command: () => ['service.mjs'],
  },
  {
    name: 'loopback',
    what: 'an application of LoopBack 4 (rest 15.0.16, rest-crud 0.19.11), in memory (`tools/fixtures/conformance/loopback`)',
    vendor: 'loopback',
    naming: { member: null },
    command: () => ['service.mjs'],
  },
  {
    name: 'platformatic',
    what: 'the REST interface of Platformatic DB (sql-openapi 3.67.0) on SQLite (`tools/fixtures/conformance/platformatic`)',
    vendor: 'platformatic',
    naming: { member: null },
    command: () => ['service.mjs'],
  },
  {
    name: 'nest-express',
    what: 'the ordinary Nest application on Express of `examples/nest-express`, which uses our packages',
    example: 'examples/nest-express',
    command: () => ['dist/main.js'],
  },
];

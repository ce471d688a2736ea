/**
 * @typedef {object} ForeignService
 * @property {string} name
 * @property {string} what in words.
 * @property {string[]} packages what is installed; where there are none, the workspace's own serve.
 * @property {string} [example] a folder of the workspace that is copied and compiled.
 * @property {Record<string, string>} [files] what it needs beside them.
 * @property {string} [source] a file of tools/fixtures/conformance, which becomes `service.mjs`.
 * @property {(port: number) => string[]} command what Node runs; the port stands in `PORT` as well.
 */

/**
 * Services of others that are judged.
 * @type {ForeignService[]}
 */
export const services = [
  {
    name: 'json-server',
    what: 'json-server 0.17.4, with an empty collection `items`',
    packages: ['json-server@0.17.4'],
    files: { 'db.json': '{"items":[]}' },
    command: (port) => [
      'node_modules/json-server/lib/cli/bin.js',
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
      'db.json',
    ],
  },
  {
    name: 'nestjs-paginate',
    what: 'a Nest 11 application with nestjs-paginate 15.0.1 on Express (`tools/fixtures/conformance/nestjs-paginate.js`)',
    packages: [
      '@nestjs/common@11.1.6',
      '@nestjs/core@11.1.6',
      '@nestjs/platform-express@11.1.6',
      '@nestjs/swagger@11.2.0',
      'better-sqlite3@12',
      'nestjs-paginate@15.0.1',
      'reflect-metadata@0.2.2',
      'rxjs@7',
      'typeorm@1.1.1',
    ],
    source: 'nestjs-paginate.js',
    command: () => ['service.mjs'],
  },
  {
    name: 'nest-express',
    what: 'the ordinary Nest application on Express of `examples/nest-express`, which uses our packages',
    packages: [],
    example: 'examples/nest-express',
    command: () => ['dist/main.js'],
  },
];

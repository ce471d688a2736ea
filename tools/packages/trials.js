import { documentedInstall } from './documented-install.js';
import { nodeScript } from './node-script.js';
import { newService } from './new-service.js';
import { trial } from './trial.js';
import { web } from './web.js';

/** @typedef {Parameters<typeof trial>[2]} Use */

const BOOKS = ['node_modules/typescript/bin/tsc', 'test.ts'];
const NEST_APP = ['node_modules/typescript/bin/tsc', 'dist/app.test.js'];

/**
 * @param {string} postgres URL of a server with permission to create databases, or empty.
 * @returns {readonly import('./trial.js').Trial[]}
 */
export function trials(postgres) {
  return [
    trial('examples/nest-express', 'examples/nest-express', scripts(['node_modules/typescript/bin/tsc', 'test.ts'])),
    trial('examples/books on SQLite', 'examples/books', scripts(BOOKS)),
    ...(postgres === '' ? [] : [trial('examples/books on PostgreSQL', 'examples/books', onPostgres(postgres, BOOKS))]),
    // Each claim of docs/nest.md.
    trial('Nest 12', 'tools/fixtures/nest-app', postgres === '' ? scripts(NEST_APP) : onPostgres(postgres, NEST_APP)),
    trial('Nest 11 (CommonJS)', 'tools/fixtures/nest-11', scripts(['test.cjs'])),
    trial(
      'moduleResolution: node',
      'tools/fixtures/node10',
      scripts(['node_modules/typescript/bin/tsc', 'dist/test.js']),
    ),
    newService,
    documentedInstall,
    nodeScript,
    web,
  ];
}

/**
 * @param {readonly string[]} files run one after another; each fails if something is wrong.
 * @param {Record<string, string>} [env]
 * @returns {Use}
 */
function scripts(files, env) {
  return async (consumer) => {
    for (const file of files) await consumer.run(file, undefined, env);
  };
}

/** Runs scripts with a new database. @param {string} postgres @param {readonly string[]} files @returns {Use} */
function onPostgres(postgres, files) {
  return async (consumer) => {
    const { createDatabase } = await import('@items/testing');
    const { url, drop } = await createDatabase(postgres);
    try {
      await scripts(files, { DATABASE_URL: url })(consumer);
    } finally {
      await drop();
    }
  };
}

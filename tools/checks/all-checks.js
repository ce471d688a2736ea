import { coverageCheck } from '../coverage/coverage-check.js';
import { rawCoverage } from '../coverage/folders.js';
import { commandCheck } from './command-check.js';
import { generatorsCheck } from './generators-check.js';
import { jestCheck } from './jest-check.js';
import { openApiCheck } from './openapi-check.js';
import { skippedOnce } from './outcome.js';

/** Nx reads no cache of an earlier checkout and starts nothing that outlives it. */
const nx = { NX_DAEMON: 'false', NX_ISOLATE_PLUGINS: 'false', NX_SKIP_NX_CACHE: 'true' };

/**
 * What `npm test` runs, in this order; but for those that run by name only.
 * @param {{ postgres: string, redis: string }} servers addresses; empty where there is none.
 * @returns {import('./outcome.js').Check[]}
 */
export function allChecks({ postgres, redis }) {
  const env = { TEST_POSTGRES_URL: postgres, TEST_REDIS_URL: redis };
  const blackBox = (/** @type {string} */ database) => ({
    args: ['-c', 'apps/api-e2e/jest.config.js'],
    env: { ...env, E2E_DATABASES: database, SERVICE_COVERAGE: rawCoverage },
  });
  const onPostgres = jestCheck('e2e-postgres', 'End to end on PostgreSQL', blackBox('postgres'));
  return [
    commandCheck('format', 'Format (prettier)', ['node_modules/prettier/bin/prettier.cjs', '--check', '.']),
    commandCheck('types', 'Type check and build (tsc)', ['node_modules/typescript-7/bin/tsc', '-b']),
    // Before the lint, whose boundary rule reads the project graph that Nx leaves behind.
    commandCheck('sync', 'Project references (nx sync)', ['node_modules/nx/dist/bin/nx.js', 'sync:check'], nx),
    commandCheck('lint', 'Lint (eslint)', ['node_modules/eslint/bin/eslint.js', '.', '--max-warnings=0'], nx),
    commandCheck('dependencies', 'Dependency rules', [
      'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
      'apps/api/src',
      'libs',
    ]),
    openApiCheck,
    jestCheck('unit', 'Unit and integration tests', { args: ['--coverage'], env }),
    jestCheck('e2e-sqlite', 'End to end on SQLite', blackBox('sqlite')),
    postgres === '' ? { ...onPostgres, run: async () => skippedOnce('there is no PostgreSQL') } : onPostgres,
    coverageCheck,
    generatorsCheck(env),
  ];
}

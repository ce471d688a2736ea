import { join } from 'node:path';
import { coverageCheck } from '../coverage/coverage-check.ts';
import { jestCoverage } from '../coverage/folders.ts';
import { changedCheck } from './changed-check.ts';
import {
  agents,
  attacks,
  blackBox,
  consoles,
  histories,
  historiesAtLength,
  longUnits,
  operations,
  quickEndToEnd,
  quickUnits,
  replicas,
  shortBlackBox,
  simulations,
  unitsAtLength,
  without,
} from './chosen-specs.ts';
import { commandCheck } from './command-check.ts';
import { jestCheck } from './jest-check.ts';
import { otherNodesCheck } from './other-nodes-check.ts';
import { openApiCheck } from './openapi-check.ts';
import { skippedOnce, type Check } from './outcome.ts';

/** Nx must not use the cache of an earlier checkout, and must not leave a daemon running. */
const nx = { NX_DAEMON: 'false', NX_ISOLATE_PLUGINS: 'false', NX_SKIP_NX_CACHE: 'true' };
const prettier = ['node_modules/prettier/bin/prettier.cjs', '--check', '.'];
const eslint = ['node_modules/eslint/bin/eslint.js', '.', '--max-warnings=0'];
const oxlint = ['node_modules/oxlint/bin/oxlint', '--deny-warnings'];
const depcruise = ['dependency-cruiser/bin/dependency-cruise.mjs', 'apps/api/src', 'libs'];
const quickOnly = { isQuick: true, isPart: true };

const fewerFaults = 'instance-killed|primary-killed|redis-killed|postgres-resets|rotate-certificate';

interface CheckOptions {
  /** URL of the server; empty if there is none. */
  postgres: string;
  /** URL of the server; empty if there is none. */
  redis: string;
  /** Also measures test coverage, which slows the checks by a quarter. */
  countsCoverage?: boolean;
}

/** Lists the checks of `npm test` and `npm run check` in order. */
export function allChecks({ postgres, redis, countsCoverage = false }: CheckOptions): Check[] {
  const env = { TEST_POSTGRES_URL: postgres, TEST_REDIS_URL: redis };
  const jest = (name: string, title: string, args: readonly string[] = [], more: Record<string, string> = {}) => {
    const plain = { args, env: { ...env, ...more } };
    if (!countsCoverage) return jestCheck(name, title, plain);
    return jestCheck(name, title, {
      args: [...args, '--coverage', `--coverageDirectory=${join(jestCoverage, name)}`],
      env: { ...plain.env, SERVICE_COVERAGE: 'counted' },
    });
  };
  const alone = [...blackBox, '--maxWorkers=1'];
  const packagesJest = (name: string, title: string, specs: string) =>
    jest(name, title, ['-c', 'apps/api-e2e/packages.config.js', specs]);
  const beside = (check: Check): Check => ({ ...check, isLong: true, mayRunConcurrently: true });
  // Specs that do not depend on the database (edge, TLS, logs) run only once.
  const once = { E2E_DATABASES: 'postgres', E2E_ONCE: 'done' };
  const onPostgres = jest('e2e-postgres', 'End to end on PostgreSQL', shortBlackBox, once);
  const onSqlite = { E2E_DATABASES: 'sqlite' };
  const atLength = { LONG_FORM: '1' };
  return [
    commandCheck('types', 'Type check and build (tsc)', ['node_modules/typescript-7/bin/tsc', '-b'], { isQuick: true }),
    changedCheck,
    {
      ...jest('quick-unit', 'Unit tests of the small libraries', [...quickUnits, ...without(longUnits)]),
      ...quickOnly,
    },
    {
      ...jest('quick-e2e', 'Items and errors, end to end on SQLite', [...blackBox, ...quickEndToEnd], onSqlite),
      ...quickOnly,
    },
    // Creates the project graph, which the boundary rule of the lint reads.
    commandCheck('sync', 'Project references (nx sync)', ['node_modules/nx/dist/bin/nx.js', 'sync:check'], { env: nx }),
    // The longest check of its group starts first. It mostly waits for killed and paused processes.
    {
      ...jest('histories', 'Histories of members, after kills and pauses', [...alone, ...histories]),
      mayRunConcurrently: true,
    },
    commandCheck('lint', 'Lint (eslint)', eslint, { mayRunConcurrently: true, env: nx }),
    commandCheck('lint-types', 'Lint with types (oxlint)', oxlint, { mayRunConcurrently: true }),
    openApiCheck,
    commandCheck('format', 'Format (prettier)', prettier, { mayRunConcurrently: true }),
    commandCheck('dependencies', 'Dependency rules', depcruise, {
      ownTool: 'dependency-cruiser',
      mayRunConcurrently: true,
    }),
    // Runs alone, because queued requests on a busy machine enter more functions.
    commandCheck('path', 'Files and functions that a request enters', ['tools/request-path/request-path.ts']),
    commandCheck('speed', 'CPU time of a get and a page, relative to bare Fastify', ['tools/bench/speed.ts']),
    jest('unit', 'Unit and integration tests', without(longUnits)),
    jest('e2e-sqlite', 'End to end on SQLite', shortBlackBox, onSqlite),
    postgres === '' ? { ...onPostgres, run: async () => skippedOnce('there is no PostgreSQL') } : onPostgres,
    coverageCheck,
    { ...jest('attacks', 'Attacks, at length', [...blackBox, ...attacks], atLength), isLong: true },
    {
      ...jest('long-units', 'Unit and integration tests that take long', [...longUnits, ...unitsAtLength], atLength),
      isLong: true,
    },
    { ...jest('operations', 'Operations, end to end', [...blackBox, ...operations]), isLong: true },
    {
      ...jest(
        'faults',
        'Faults on real processes',
        ['-c', 'apps/api-e2e/faults.config.js', 'src/faults/', `--testNamePattern=${fewerFaults}`],
        onSqlite,
      ),
      isLong: true,
    },
    // The longest checks of this group start first.
    beside(jest('long-histories', 'Histories of members, at length', [...alone, ...historiesAtLength], atLength)),
    beside(jest('simulation', 'Ten thousand simulations of a replica', simulations, atLength)),
    beside(otherNodesCheck),
    beside(packagesJest('generators', 'Generated collections (in a copy)', 'generators/collections')),
    beside(jest('replica', 'Replicas in IndexedDB, in Chromium', [...alone, ...replicas], onSqlite)),
    beside(jest('console', 'The console, in Chromium', [...blackBox, ...consoles], onSqlite)),
    beside(packagesJest('client-generators', 'Clients that are generated from the document', 'generators/clients')),
    beside(jest('mcp', 'The example for agents', [...blackBox, ...agents], onSqlite)),
    beside(commandCheck('manifests', 'Kubernetes manifests', ['tools/container/check-manifests.ts'])),
    // These two run alone, because they change builds that services of other tests use.
    { ...packagesJest('packages', 'Packages (from a local registry)', 'src/packages/'), isLong: true },
    commandCheck('release', 'Release (dry run)', ['tools/packages/release.ts', '--dry-run'], { isLong: true }),
  ];
}

import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

import { workspacePath } from './workspace/root.ts';

/**
 * `npm run tool -- check-walks`: compares walks over items that nine writers change, row by row, with the state at
 * their first page, on SQLite and on PostgreSQL. Then tests walks whose pages alternate between two services, one of
 * which restarts. `-- --mutants` checks that each of several inserted faults is noticed.
 */
const { values: options } = parseArgs({
  options: {
    walks: { type: 'string', default: '500' },
    rounds: { type: 'string', default: '6' },
    mutants: { type: 'boolean', default: false },
  },
});

const title = options.mutants ? 'the check of walks notices' : 'SPEC §4';
const checks = [
  jest('libs/service', ['src/data/testing', '-t', title], { CHECK_WALKS: options.walks, LONG_FORM: '1' }),
  ...(options.mutants
    ? []
    : [jest('apps/api-e2e', ['walks-over-instances'], { CHECK_INSTANCE_ROUNDS: options.rounds })]),
];
process.exitCode = checks.every((check) => check()) ? 0 : 1;

/**
 * @param {string} project
 * @param {string[]} specs
 * @param {Record<string, string>} env
 */
function jest(project, specs, env) {
  return () => {
    const run = spawnSync(process.execPath, [workspacePath('node_modules/jest/bin/jest.js'), '--verbose', ...specs], {
      cwd: workspacePath(project),
      env: { ...process.env, ...env },
      stdio: 'inherit',
    });
    return run.status === 0;
  };
}

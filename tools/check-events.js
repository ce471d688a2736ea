import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

import { workspacePath } from './workspace/root.ts';

/**
 * `npm run tool -- check-events`: sixteen writers use two instances, one of which is killed, while four followers read
 * the feed. Each follower must see all acknowledged writes in the same order, on SQLite and on PostgreSQL. `--
 * --mutants` checks that each of several inserted faults is noticed.
 */
const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, mutants: { type: 'boolean', default: false } },
});

const title = options.mutants ? 'the check of the feed notices' : 'SPEC §6.1';
const jest = [workspacePath('node_modules/jest/bin/jest.js'), '--verbose', 'src/feed/testing/feed', '-t', title];
const { status } = spawnSync(process.execPath, jest, {
  cwd: workspacePath('libs/service'),
  env: { ...process.env, CHECK_EVENTS: options.seconds, LONG_FORM: '1' },
  stdio: 'inherit',
});
process.exitCode = status ?? 1;

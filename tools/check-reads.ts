import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { workspacePath } from './workspace/root.ts';

/**
 * `npm run tool -- check-reads`: with a million items in SQLite, measures for each accepted list query how long it
 * blocks the main thread, and its latency.
 */
const { values: options } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } });

const jest = [
  workspacePath('node_modules/jest/bin/jest.js'),
  '--verbose',
  'src/data/testing/bounded-reads',
  '-t',
  'SQLite',
];
const { status } = spawnSync(process.execPath, jest, {
  cwd: workspacePath('libs/service'),
  env: { ...process.env, CHECK_READS: options.rows },
  stdio: 'inherit',
});
process.exitCode = status ?? 1;

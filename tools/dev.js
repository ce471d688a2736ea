import './workspace/require-node.js';
import { spawn } from 'node:child_process';
import { ensureBuilt } from './workspace/build.js';
import { ensureDependencies } from './workspace/dependencies.js';
import { workspaceRoot } from './workspace/root.js';

/*
 * `npm run dev`, which is also `nx serve api`: the service, built and started again after each change of its sources.
 */
try {
  await ensureDependencies();
  await ensureBuilt();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

const compiler = 'node_modules/typescript-7/bin/tsc';
const processes = [
  [compiler, '-b', 'apps/api/tsconfig.app.json', '--watch', '--preserveWatchOutput'],
  ['--watch', '--watch-preserve-output', 'apps/api/dist/main.js'],
].map((args) =>
  // No balancer has to notice that it is started again.
  spawn(process.execPath, args, { cwd: workspaceRoot, stdio: 'inherit', env: { STOP_DELAY: '0', ...process.env } }),
);

const stop = () => processes.forEach((child) => child.kill('SIGTERM'));
process.on('SIGINT', stop).on('SIGTERM', stop);
// One of the two alone is of no use.
for (const child of processes) child.once('exit', stop);

import './workspace/require-node.js';
import { spawn } from 'node:child_process';
import { ensureBuilt } from './workspace/build.js';
import { ensureDependencies } from './workspace/dependencies.js';
import { workspaceRoot } from './workspace/root.js';

/*
 * `npm run dev`, same as `nx serve api`: builds and runs the service, and restarts it after each change of its
 * sources.
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
  // There is no load balancer that must notice a restart.
  spawn(process.execPath, args, { cwd: workspaceRoot, stdio: 'inherit', env: { STOP_DELAY: '0', ...process.env } }),
);

const stop = () => processes.forEach((child) => child.kill('SIGTERM'));
process.on('SIGINT', stop).on('SIGTERM', stop);
// If one of the two processes ends, stop the other.
for (const child of processes) child.once('exit', stop);

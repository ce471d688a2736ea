import { join } from 'node:path';
import { dependenciesAreCurrent } from '../workspace/dependencies.js';
import { workspaceRoot } from '../workspace/root.js';
import { runNpm } from '../workspace/run.js';

const folder = join(workspaceRoot, 'examples/console');

/**
 * Installs what the page needs by its own lock file, and builds it. Our packages are those of the workspace, as they are built.
 * @returns {Promise<string>} the folder to serve.
 * @throws {Error} with what npm, TypeScript or Vite said.
 */
export async function buildConsole() {
  if (!dependenciesAreCurrent('develop', folder)) {
    await npm(['ci', '--workspaces=false', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  }
  await npm(['run', 'build', '--workspaces=false']);
  return join(folder, 'dist');
}

async function npm(/** @type {readonly string[]} */ args) {
  const { ok, output } = await runNpm(args, { cwd: folder, output: 'collect', limitMs: 300_000 });
  if (!ok) throw new Error(`npm ${args.join(' ')} (examples/console): ${output.trimEnd()}`);
}

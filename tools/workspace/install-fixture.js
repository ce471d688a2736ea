import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { dependenciesAreCurrent } from './dependencies.js';
import { workspaceRoot } from './root.js';
import { runNpm } from './run.js';

/**
 * Copies a folder of `tools/fixtures` to `tmp/fixtures` and installs the packages of its lock file there.
 * @param {string} name
 * @returns {Promise<string>} the copy.
 * @throws {Error} if npm fails, with its output.
 */
export async function installFixture(name) {
  const folder = join(workspaceRoot, 'tmp/fixtures', name);
  mkdirSync(folder, { recursive: true });
  cpSync(join(workspaceRoot, 'tools/fixtures', name), folder, { recursive: true });
  if (dependenciesAreCurrent('develop', folder)) return folder;
  const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--workspaces=false'];
  const { ok, output } = await runNpm(words, { cwd: folder, output: 'collect' });
  if (!ok) throw new Error(`npm could not install ${name}:\n${output.trimEnd()}`);
  return folder;
}

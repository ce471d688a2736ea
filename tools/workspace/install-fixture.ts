import { cpSync, mkdirSync } from 'node:fs';
import { dependenciesAreCurrent } from './dependencies.ts';
import { workspacePath } from './root.ts';
import { runNpm } from './run.ts';

/**
 * Copies a folder of `tools/fixtures` to `tmp/fixtures`, installs the packages of its lock file, and returns the copy.
 * @throws {Error} if npm fails, with its output.
 */
export async function installFixture(name: string): Promise<string> {
  const folder = workspacePath('tmp/fixtures', name);
  mkdirSync(folder, { recursive: true });
  cpSync(workspacePath('tools/fixtures', name), folder, { recursive: true });
  if (dependenciesAreCurrent('develop', folder)) return folder;
  const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--workspaces=false'];
  const { ok, output } = await runNpm(words, { cwd: folder, output: 'collect' });
  if (!ok) throw new Error(`npm could not install ${name}:\n${output.trimEnd()}`);
  return folder;
}

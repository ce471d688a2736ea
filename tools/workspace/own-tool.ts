import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { dependenciesAreCurrent } from './dependencies.ts';
import { workspacePath } from './root.ts';
import { runNpm } from './run.ts';

/**
 * Installs a tool that only one check needs, from its own lock file, so that the installation of the workspace stays
 * fast. Concurrent checks may install the same tool. Returns the path of its node_modules.
 * @throws {Error} if npm fails, with its output.
 */
export async function ownTool(name: string): Promise<string> {
  const folder = workspacePath('tools/checks/own-tools', name);
  const place = join(folder, 'node_modules');
  if (dependenciesAreCurrent('develop', folder)) return place;
  const started = Date.now();
  mkdirSync(workspacePath('tmp'), { recursive: true });
  const draft = mkdtempSync(workspacePath('tmp', `${name}-`));
  try {
    for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(folder, file), join(draft, file));
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const { ok, output } = await runNpm(['ci', ...options], { cwd: draft, output: 'collect' });
    if (!ok) throw new Error(`npm could not install ${name}, which this check needs:\n${output.trimEnd()}`);
    if (!dependenciesAreCurrent('develop', folder)) {
      rmSync(place, { recursive: true, force: true });
      renameSync(join(draft, 'node_modules'), place);
    }
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  const seconds = Math.round((Date.now() - started) / 1000);
  process.stderr.write(`Installed ${name}, which this check alone needs, in ${String(seconds)} s.\n`);
  return place;
}

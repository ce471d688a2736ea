import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Purpose } from './build.ts';
import { workspacePath, workspaceRoot } from './root.ts';
import { runNpm, step } from './run.ts';

interface LockedPackage {
  version?: string;
  link?: boolean;
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
}

/**
 * Installs the packages of package-lock.json if node_modules differs: on a fresh clone, after a change of the lock
 * file, or after an interrupted installation. With purpose `run`, development packages that are already installed are
 * kept.
 * @throws {Error} if npm fails. npm has already printed the reason.
 */
export async function ensureDependencies(purpose: Purpose = 'develop') {
  if (dependenciesAreCurrent(purpose)) return;
  const installed = Object.values(packagesOf(workspacePath('node_modules/.package-lock.json')));
  const isForAll = purpose === 'develop' || installed.some(({ dev }) => dev === true);
  const what = isForAll ? 'all packages' : 'the packages that running needs';
  // Neither the service nor its compiler needs an install script.
  const selection = isForAll ? ['--include=dev'] : ['--omit=dev', '--ignore-scripts'];
  const command = installed.length === 0 ? ['ci'] : ['install', '--no-save'];
  const { ok } = await step(`Installing ${what} (npm ${command[0]})`, () =>
    runNpm([...command, ...selection, '--no-audit', '--no-fund', '--loglevel=error'], { output: 'collect' }),
  );
  if (!ok) throw new Error('The installation failed: see the output of npm above. Run the command again to retry.');
}

/** Compares the lock file with npm's copy in node_modules. npm writes this copy as the last step of an installation. */
export function dependenciesAreCurrent(purpose: Purpose, root = workspaceRoot) {
  const wanted = packagesOf(join(root, 'package-lock.json'));
  const installed = packagesOf(join(root, 'node_modules/.package-lock.json'));
  return Object.entries(wanted).every(([path, { version, link, dev, optional, devOptional }]) => {
    if (!path.includes('node_modules/')) return true;
    const found = installed[path];
    if (found === undefined) return optional === true || devOptional === true || (purpose === 'run' && dev === true);
    return found.version === version && found.link === link;
  });
}

function packagesOf(lockFile: string): Record<string, LockedPackage> {
  return existsSync(lockFile) ? JSON.parse(readFileSync(lockFile, 'utf8')).packages : {};
}

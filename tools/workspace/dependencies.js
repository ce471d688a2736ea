import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from './root.js';
import { runNpm } from './run.js';
import { step } from './step.js';

/**
 * @typedef {object} LockedPackage as a lock file has it.
 * @property {string} [version]
 * @property {boolean} [link]
 * @property {boolean} [dev]
 * @property {boolean} [optional]
 * @property {boolean} [devOptional]
 */

/**
 * Installs what package-lock.json says where node_modules does not hold exactly that: on a fresh clone, after the
 * lock file has changed, and after an interrupted installation. Nothing is taken away that is of use.
 * @param {'run' | 'develop'} [purpose] what running needs is a fifth of all packages.
 * @throws {Error} where npm fails; it has said why.
 */
export async function ensureDependencies(purpose = 'develop') {
  if (dependenciesAreCurrent(purpose)) return;
  const installed = Object.values(packagesOf(join(workspaceRoot, 'node_modules/.package-lock.json')));
  const isForAll = purpose === 'develop' || installed.some(({ dev }) => dev === true);
  const what = isForAll ? 'all packages' : 'the packages that running needs';
  // Neither the service nor its compiler has a script to be run.
  const selection = isForAll ? ['--include=dev'] : ['--omit=dev', '--ignore-scripts'];
  const command = installed.length === 0 ? ['ci'] : ['install', '--no-save'];
  const { ok } = await step(`Installing ${what} (npm ${command[0]})`, () =>
    runNpm([...command, ...selection, '--no-audit', '--no-fund', '--loglevel=error'], { output: 'collect' }),
  );
  if (!ok) throw new Error('The installation failed: npm says why above. Run the command again to retry.');
}

/**
 * npm records in node_modules what it installed, as the last thing that it does.
 * @param {'run' | 'develop'} purpose
 */
export function dependenciesAreCurrent(purpose, root = workspaceRoot) {
  const wanted = packagesOf(join(root, 'package-lock.json'));
  const installed = packagesOf(join(root, 'node_modules/.package-lock.json'));
  return Object.entries(wanted).every(([path, { version, link, dev, optional, devOptional }]) => {
    if (!path.includes('node_modules/')) return true;
    const found = installed[path];
    if (found === undefined) return optional === true || devOptional === true || (purpose === 'run' && dev === true);
    return found.version === version && found.link === link;
  });
}

/** @returns {Record<string, LockedPackage>} */
function packagesOf(/** @type {string} */ lockFile) {
  return existsSync(lockFile) ? JSON.parse(readFileSync(lockFile, 'utf8')).packages : {};
}

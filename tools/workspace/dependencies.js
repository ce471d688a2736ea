import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { workspaceRoot } from './root.js';
import { runNpm } from './run.js';

/** node-gyp's own variable: as many compilers at once as there are processors. */
const compileFaster = { JOBS: 'max' };

/**
 * Installs what package-lock.json says where node_modules does not hold exactly that: on a fresh clone, after the
 * lock file has changed, after an interrupted installation, and for another version of Node.
 * @throws {Error} where npm fails; it has said why.
 */
export async function ensureDependencies() {
  if (dependenciesAreCurrent() && databaseDriverLoads()) return;
  console.log(
    'Installing dependencies (npm ci): half a minute, once; two more where the SQLite driver has to be compiled.',
  );
  await withProgress(runNpm(['ci', '--include=dev', '--no-audit', '--no-fund'], { env: compileFaster }));
  if (!databaseDriverLoads()) {
    throw new Error(
      'better-sqlite3 does not load: it has no prebuilt binary for this system and compiling it failed ' +
        '(that needs python3, make and a C++ compiler).',
    );
  }
}

/** npm records in node_modules what it installed, as the last thing that it does. */
export function dependenciesAreCurrent(root = workspaceRoot) {
  const wanted = packagesOf(join(root, 'package-lock.json'));
  const installed = packagesOf(join(root, 'node_modules/.package-lock.json'));
  return Object.entries(wanted).every(([path, { version, link, optional, devOptional }]) => {
    if (!path.includes('node_modules/')) return true;
    const found = installed[path];
    if (found === undefined) return optional === true || devOptional === true;
    return found.version === version && found.link === link;
  });
}

/** @returns {Record<string, { version?: string, link?: boolean, optional?: boolean, devOptional?: boolean }>} */
function packagesOf(/** @type {string} */ lockFile) {
  return existsSync(lockFile) ? JSON.parse(readFileSync(lockFile, 'utf8')).packages : {};
}

/**
 * Which one is installed, and its binary part, depend on the version of Node; `npm ci` cannot know that another one is
 * in use since. As libs/sqlite-driver has it, which is not built yet.
 */
function databaseDriverLoads() {
  const driver = Number(process.versions.node.split('.')[0]) >= 22 ? 'better-sqlite3-node-api' : 'better-sqlite3';
  try {
    const require = createRequire(join(workspaceRoot, 'libs/sqlite-driver/package.json'));
    new (require(driver))(':memory:').close();
    return true;
  } catch {
    return false;
  }
}

/** Says every few seconds that npm is at work (its own spinner shows on terminals only), and what takes so long. */
async function withProgress(/** @type {Promise<{ ok: boolean }>} */ work) {
  const started = Date.now();
  let compiling = false;
  const progress = setInterval(() => {
    if (!compiling && databaseDriverCompiles()) {
      compiling = true;
      console.log(
        'No prebuilt binary of better-sqlite3 could be had: it is being compiled, which takes one to two minutes.',
      );
    } else if (!process.stdout.isTTY || compiling) {
      console.log(`  … ${Math.round((Date.now() - started) / 1000)} s`);
    }
  }, 5000);
  const { ok } = await work;
  clearInterval(progress);
  if (!ok) throw new Error('The installation failed; npm says why above. Run the command again to retry.');
}

function databaseDriverCompiles() {
  const build = join(workspaceRoot, 'node_modules/better-sqlite3/build');
  return existsSync(join(build, 'Makefile')) && !existsSync(join(build, 'Release/better_sqlite3.node'));
}

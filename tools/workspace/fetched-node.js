import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folder with its own lock file. `npm ci` of the workspace does not remove it. */
const folder = join(import.meta.dirname, '../node');

/**
 * Installs a newer Node from the npm registry. Installs the dependencies of the package `node` directly, because by
 * default npm does not run the install script of that package.
 * @returns {string} the path of its executable.
 */
export function fetchedNode() {
  const [name, version] = packageOf(process.platform, process.arch);
  const place = join(folder, 'node_modules', name);
  const binary = join(place, process.platform === 'win32' ? 'bin/node.exe' : 'bin/node');
  if (existsSync(binary) && versionIn(place) === version) return binary;
  const started = Date.now();
  console.log(
    `Node ${process.versions.node} is older than 22.18: fetching Node ${version} (npm package ${name}), once.`,
  );
  const { status, stdout, stderr } = npm(['ci', '--no-audit', '--no-fund']);
  if (status !== 0 || !existsSync(binary))
    stop(`npm could not install ${name}: install Node 22.18 or newer.\n${stdout}${stderr}`);
  console.log(`Fetched in ${Math.round((Date.now() - started) / 1000)} s.`);
  return binary;
}

/** @param {string[]} args */
function npm(args) {
  const cli = process.env.npm_execpath;
  const command = cli?.endsWith('.js') ? [process.execPath, cli] : ['npm'];
  return spawnSync(command[0] ?? '', [...command.slice(1), ...args], { cwd: folder, encoding: 'utf8' });
}

/** @param {string} platform @param {string} arch @returns {[name: string, version: string]} */
function packageOf(platform, arch) {
  const { optionalDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const end = `-${platform === 'win32' ? 'win' : platform}-${arch}`;
  const found = Object.entries(optionalDependencies).find(([name]) => name.endsWith(end));
  return found ?? stop(`There is no package of Node for ${platform} ${arch}: install Node 22.18 or newer.`);
}

/** @param {string} sentence @returns {never} */
function stop(sentence) {
  console.error(sentence);
  process.exit(1);
}

function versionIn(/** @type {string} */ place) {
  return JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')).version;
}

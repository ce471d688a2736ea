import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { workspaceRoot } from '../workspace/root.js';

/*
 * `node tools/packages/inline-libs.js in libs/client conventions contracts`, before a lib is packed: copies what other libs
 * have built into its own build, and lets it import the copies, so that its tarball has no dependency. `out` undoes it.
 */
const [direction = '', folder = '', ...libs] = process.argv.slice(2);
const dist = join(workspaceRoot, folder, 'dist');
const isShipped = (/** @type {string} */ path) => !/\.map$|\.tsbuildinfo$|\/spec(\/|$)/.test(path);

if (direction === 'in') {
  for (const lib of libs) {
    cpSync(join(workspaceRoot, 'libs', lib, 'dist'), join(dist, lib), { recursive: true, filter: isShipped });
  }
}
for (const file of files(dist)) {
  const text = readFileSync(file, 'utf8');
  const turned = libs.reduce((all, lib) => turn(all, file, lib), text);
  if (turned !== text) writeFileSync(file, turned);
}
if (direction === 'out') for (const lib of libs) rmSync(join(dist, lib), { recursive: true, force: true });

/** @param {string} text @param {string} file @param {string} lib */
function turn(text, file, lib) {
  const path = relative(dirname(file), join(dist, lib, 'index.js')).replaceAll('\\', '/');
  const copy = `'${path.startsWith('.') ? path : `./${path}`}'`;
  const name = `'@items/${lib}'`;
  return direction === 'in' ? text.replaceAll(name, copy) : text.replaceAll(copy, name);
}

/** @param {string} root @returns {string[]} modules and their types. */
function files(root) {
  if (!existsSync(root)) throw new Error(`${root} is missing: build first.`);
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(js|d\.ts)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

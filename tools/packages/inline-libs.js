import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { workspaceRoot } from '../workspace/root.ts';

/*
 * `node tools/packages/inline-libs.js in libs/client conventions dtos/contract`, before a lib is packed: copies the
 * builds of other libs into its own build, changes its imports to the copies, and writes the manifest of the tarball,
 * with the dependencies of the copies instead of the libs. For `dtos/contract` it copies only this folder, which has
 * no further dependencies. `out` reverts all changes.
 */
const [direction = '', name = '', ...libs] = process.argv.slice(2);
const folder = join(workspaceRoot, name);
const dist = join(folder, 'dist');
const manifest = join(folder, 'package.json');
const ownManifest = join(dist, 'own-package.json');
const isShipped = (/** @type {string} */ path) => !/\.map$|\.tsbuildinfo$|\/spec(\/|$)/.test(path);

if (direction === 'in') {
  for (const lib of libs) {
    const [whole = '', part = ''] = lib.split('/');
    const built = join(workspaceRoot, 'libs', whole, 'dist', part);
    cpSync(built, join(dist, 'libs', lib), { recursive: true, filter: isShipped });
    const assets = join(workspaceRoot, 'libs', lib, 'assets');
    if (existsSync(assets)) cpSync(assets, join(dist, 'libs/assets'), { recursive: true });
  }
}
const copies = libs.flatMap(entriesOf);
for (const file of files(dist)) {
  const text = readFileSync(file, 'utf8');
  const turned = copies.reduce((all, entry) => turn(all, file, entry), text);
  if (turned !== text) writeFileSync(file, turned);
}
if (direction === 'in') {
  const own = JSON.parse(readFileSync(manifest, 'utf8'));
  writeFileSync(ownManifest, readFileSync(manifest));
  writeFileSync(manifest, `${JSON.stringify(packedManifest(own), null, 2)}\n`);
} else {
  rmSync(join(dist, 'libs'), { recursive: true, force: true });
  if (existsSync(ownManifest)) renameSync(ownManifest, manifest);
}

/** Returns the import specifiers of a lib, and the built file of each. @param {string} lib */
function entriesOf(lib) {
  const [whole = '', part] = lib.split('/');
  return Object.entries(manifestOf(whole).exports ?? {}).flatMap(([path, target]) => {
    if (typeof target === 'string' || (part !== undefined && path !== `./${part}`)) return [];
    const built = (target['default'] ?? '').replace('./dist/', '');
    return [{ specifier: `'@items/${whole}${path.slice(1)}'`, copy: join(dist, 'libs', whole, built) }];
  });
}

/** @param {string} text @param {string} file @param {{ specifier: string, copy: string }} entry */
function turn(text, file, { specifier, copy }) {
  const path = relative(dirname(file), copy).replaceAll('\\', '/');
  const local = `'${path.startsWith('.') ? path : `./${path}`}'`;
  return direction === 'in' ? text.replaceAll(specifier, local) : text.replaceAll(local, specifier);
}

/** Omits properties that only the workspace needs. @param {import('./publishable.js').Manifest} own */
function packedManifest({ scripts: _scripts, devDependencies: _dev, nx: _nx, ...own }) {
  const all = [own, ...libs.filter((lib) => !lib.includes('/')).map(manifestOf)];
  const isInlined = (/** @type {string} */ each) => libs.includes(each.replace('@items/', ''));
  const merged = (/** @type {'dependencies' | 'peerDependencies'} */ kind) => {
    const entries = all.toReversed().flatMap((each) => Object.entries(each[kind] ?? {}));
    return Object.fromEntries(entries.filter(([each]) => !isInlined(each)).sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  const peerDependencies = merged('peerDependencies');
  // Peer dependencies of the lib are not dependencies of its copies.
  const dependencies = Object.entries(merged('dependencies')).filter(([each]) => !(each in peerDependencies));
  const asked = Object.entries(peerDependencies).filter(([each]) => !(each in (own.dependencies ?? {})));
  return {
    ...own,
    exports: packedExports(own.exports ?? {}),
    dependencies: Object.fromEntries([...dependencies, ...kept(own.dependencies)].sort(([a], [b]) => (a < b ? -1 : 1))),
    peerDependencies: Object.fromEntries(asked),
  };
}

/** @param {Record<string, string> | undefined} own */
function kept(own = {}) {
  return Object.entries(own).filter(([each]) => !libs.includes(each.replace('@items/', '')));
}

/**
 * Omits the sources and wildcards, which only the workspace uses.
 * @param {Record<string, string | Record<string, string>>} own
 */
function packedExports(own) {
  return Object.fromEntries(
    Object.entries(own)
      .filter(([path]) => !path.includes('*'))
      .map(([path, target]) => {
        if (typeof target === 'string') return [path, target];
        const { '@items/source': _source, ...shipped } = target;
        return [path, shipped];
      }),
  );
}

/** @param {string} lib @returns {import('./publishable.js').Manifest} */
function manifestOf(lib) {
  return JSON.parse(readFileSync(join(workspaceRoot, 'libs', lib, 'package.json'), 'utf8'));
}

/** @param {string} root @returns {string[]} modules and their types. */
function files(root) {
  if (!existsSync(root)) throw new Error(`${root} is missing: build first.`);
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(js|d\.ts)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

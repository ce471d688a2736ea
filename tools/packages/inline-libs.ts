import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { workspaceRoot } from '../workspace/root.ts';
import { readManifest, type Manifest } from './publishable.ts';

/*
 * `node tools/packages/inline-libs.ts in libs/client conventions dtos/contract` runs before a lib is packed. Copies the
 * builds of other libs into the lib's build, redirects imports to the copies, and writes the manifest of the tarball,
 * with the dependencies of the copied libs. For `dtos/contract` it copies only this folder, which has no further
 * dependencies. `out` reverts all changes.
 */
const [direction = '', name = '', ...libs] = process.argv.slice(2);
const folder = join(workspaceRoot, name);
const dist = join(folder, 'dist');
const manifest = join(folder, 'package.json');
const ownManifest = join(dist, 'own-package.json');
const isShipped = (path: string): boolean => !/\.map$|\.tsbuildinfo$|\/spec(\/|$)/.test(path);

interface Entry {
  readonly specifier: string;
  /** Path of the copied file, below `dist/libs`. */
  readonly copy: string;
}

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
  const own = readManifest(manifest);
  writeFileSync(ownManifest, readFileSync(manifest));
  writeFileSync(manifest, `${JSON.stringify(packedManifest(own), null, 2)}\n`);
} else {
  rmSync(join(dist, 'libs'), { recursive: true, force: true });
  if (existsSync(ownManifest)) renameSync(ownManifest, manifest);
}

/** Returns the import specifiers of a lib, and the built file of each. */
function entriesOf(lib: string): Entry[] {
  const [whole = '', part] = lib.split('/');
  return Object.entries(manifestOf(whole).exports ?? {}).flatMap(([path, target]) => {
    if (typeof target === 'string' || (part !== undefined && path !== `./${part}`)) return [];
    const built = (target['default'] ?? '').replace('./dist/', '');
    return [{ specifier: `'@items/${whole}${path.slice(1)}'`, copy: join(dist, 'libs', whole, built) }];
  });
}

function turn(text: string, file: string, { specifier, copy }: Entry): string {
  const path = relative(dirname(file), copy).replaceAll('\\', '/');
  const local = `'${path.startsWith('.') ? path : `./${path}`}'`;
  return direction === 'in' ? text.replaceAll(specifier, local) : text.replaceAll(local, specifier);
}

/** Omits properties that only the workspace needs. */
function packedManifest({ scripts: _scripts, devDependencies: _dev, nx: _nx, ...own }: Manifest): object {
  const all = [own, ...libs.filter((lib) => !lib.includes('/')).map(manifestOf)];
  const merged = (kind: 'dependencies' | 'peerDependencies'): [string, string][] =>
    all.toReversed().flatMap((each) => notInlined(each[kind]));
  const peerDependencies = Object.fromEntries(sorted(merged('peerDependencies')));
  // A package must not be both a peer dependency and a dependency.
  const dependencies = merged('dependencies').filter(([each]) => !(each in peerDependencies));
  const peersOnly = Object.entries(peerDependencies).filter(([each]) => !(each in (own.dependencies ?? {})));
  return {
    ...own,
    exports: packedExports(own.exports ?? {}),
    dependencies: Object.fromEntries(sorted([...dependencies, ...notInlined(own.dependencies)])),
    peerDependencies: Object.fromEntries(peersOnly),
  };
}

function notInlined(dependencies: Readonly<Record<string, string>> = {}): [string, string][] {
  return Object.entries(dependencies).filter(([each]) => !libs.includes(each.replace('@items/', '')));
}

function sorted(entries: readonly [string, string][]): [string, string][] {
  return entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** Omits `@items/source` and paths with wildcards, which only the workspace uses. */
function packedExports(own: NonNullable<Manifest['exports']>): NonNullable<Manifest['exports']> {
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

function manifestOf(lib: string): Manifest {
  return readManifest(join(workspaceRoot, 'libs', lib, 'package.json'));
}

function files(root: string): string[] {
  if (!existsSync(root)) throw new Error(`${root} is missing: build first.`);
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(js|d\.ts)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * Creates the next minor release of the same packages: a new version, and dependencies on each other in that version.
 * @param {readonly { lib: import('./publishable.js').Package, tarball: string }[]} released
 * @param {string} folder working folder.
 * @returns {{ version: string, packages: { lib: import('./publishable.js').Package, tarball: string }[] }}
 */
export function nextRelease(released, folder) {
  const version = nextMinor(released[0]?.lib.manifest.version ?? '');
  const packages = released.map(({ lib, tarball }) => {
    const content = join(folder, basename(lib.folder));
    mkdirSync(content, { recursive: true });
    execFileSync('tar', ['-xzf', tarball, '-C', content]);
    const file = join(content, 'package/package.json');
    const manifest = inVersion(JSON.parse(readFileSync(file, 'utf8')), version);
    writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
    const next = join(folder, `${basename(lib.folder)}-${version}.tgz`);
    execFileSync('tar', ['-czf', next, '-C', content, 'package']);
    return { lib: { ...lib, manifest }, tarball: next };
  });
  return { version, packages };
}

/** @param {string} version `1.0.0` */
function nextMinor(version) {
  const [major, minor] = version.split('.').map(Number);
  return `${major}.${(minor ?? 0) + 1}.0`;
}

/** @param {import('./publishable.js').Manifest} manifest @param {string} version @returns {import('./publishable.js').Manifest} */
function inVersion(manifest, version) {
  const ranges = Object.entries(manifest.dependencies ?? {}).map(([name, range]) => [
    name,
    name.startsWith('@items/') ? `^${version}` : range,
  ]);
  return { ...manifest, version, dependencies: Object.fromEntries(ranges) };
}

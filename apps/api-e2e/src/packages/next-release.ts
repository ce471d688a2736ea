import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import type { Packed } from '@items/tools/packages/pack.ts';
import { readManifest, type Manifest } from '@items/tools/packages/publishable.ts';

import { tarballOf } from './published.js';

interface NextPackage {
  readonly name: string;
  readonly manifest: Manifest;
  readonly tarball: string;
}

/**
 * Creates the next minor release of the same packages: a new version, and dependencies on each other in that version.
 * @param folder empty working folder.
 */
export function nextRelease(
  released: readonly Packed[],
  folder: string,
): { readonly version: string; readonly packages: readonly NextPackage[] } {
  const version = nextMinor(released[0]?.manifest.version ?? '');
  const packages = released.map((packed) => {
    const content = join(folder, basename(packed.name));
    mkdirSync(content);
    execFileSync('tar', ['-xzf', tarballOf(packed), '-C', content]);
    const file = join(content, 'package/package.json');
    const manifest = inVersion(readManifest(file), version);
    writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
    const tarball = `${content}-${version}.tgz`;
    execFileSync('tar', ['-czf', tarball, '-C', content, 'package']);
    return { name: packed.name, manifest, tarball };
  });
  return { version, packages };
}

/** @param version `1.0.0` */
function nextMinor(version: string): string {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return `${String(major)}.${String(minor + 1)}.0`;
}

function inVersion(manifest: Manifest, version: string): Manifest {
  const ranges = Object.entries(manifest.dependencies ?? {}).map(([name, range]) => [
    name,
    name.startsWith('@items/') ? `^${version}` : range,
  ]);
  return { ...manifest, version, dependencies: Object.fromEntries(ranges) as Record<string, string> };
}

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Packed } from './pack.ts';

const CREATOR = '@items/create-service';
/** Packages in the manifest of a new service. */
const DIRECT = ['@items/service', '@items/fields', '@items/conventions', '@items/conformance'];

/**
 * Packs the tarballs for a new service into the tarball of `@items/create-service`. The service has these tarballs in
 * its repository, because our packages are on no registry.
 * @param tarballs folder of the tarballs.
 */
export function vendorIntoCreator(packed: readonly Packed[], tarballs: string): void {
  const creator = packed.find(({ name }) => name === CREATOR);
  if (creator === undefined) throw new Error(`${CREATOR} was not packed.`);
  const work = mkdtempSync(join(tmpdir(), 'items-vendor-'));
  try {
    const tarball = join(tarballs, creator.filename);
    execFileSync('tar', ['-xzf', tarball, '-C', work]);
    const vendor = join(work, 'package/vendor');
    mkdirSync(vendor);
    for (const { filename } of neededOf(packed)) copyFileSync(join(tarballs, filename), join(vendor, filename));
    execFileSync('tar', ['-czf', tarball, '-C', work, 'package']);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function neededOf(packed: readonly Packed[]): Packed[] {
  const names = new Set(DIRECT);
  // This loop also visits the names that it adds.
  for (const name of names) {
    const found = packed.find((each) => each.name === name);
    if (found === undefined) throw new Error(`${name} was not packed.`);
    for (const dependency of Object.keys(found.manifest.dependencies ?? {}))
      if (dependency.startsWith('@items/')) names.add(dependency);
  }
  return packed.filter(({ name }) => names.has(name));
}

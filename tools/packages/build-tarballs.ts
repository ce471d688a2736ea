import { join } from 'node:path';
import { ensureDependencies } from '../workspace/dependencies.ts';
import { runNode, step } from '../workspace/run.ts';
import { pack } from './pack.ts';
import { publishable, type Package } from './publishable.ts';
import { vendorIntoCreator } from './vendor.ts';

/** A package and its tarball's path. `lib.manifest` is the packed one. */
export interface Tarball {
  readonly lib: Package;
  readonly tarball: string;
}

/**
 * Installs and builds if necessary, and writes the tarballs of all packages. The tarball of `@items/create-service`
 * contains the tarballs that a new service needs.
 */
export async function buildTarballs(folder: string): Promise<Tarball[]> {
  const packages = publishable();
  const sources = packages.map((each) => join(each.folder, 'tsconfig.lib.json'));
  await ensureDependencies();
  // Rebuild everything, because `npm start` builds without a type check and may emit incomplete declarations.
  const { ok } = await step('Building the packages (tsc)', () =>
    runNode(['node_modules/typescript-7/bin/tsc', '-b', '--force', ...sources], { output: 'collect' }),
  );
  if (!ok) throw new Error('The build failed: see the output of the compiler above.');
  const packed = await pack(packages, folder);
  vendorIntoCreator(packed, folder);
  return packages.flatMap((lib) => {
    const found = packed.find(({ name }) => name === lib.name);
    if (found === undefined) return [];
    return [{ lib: { ...lib, manifest: found.manifest }, tarball: join(folder, found.filename) }];
  });
}

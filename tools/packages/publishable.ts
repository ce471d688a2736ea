import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '../workspace/root.ts';

export interface Package {
  /** Includes the scope, as in `@items/paging`. */
  readonly name: string;
  /** Absolute path. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/** The properties of a package.json that the tools read. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly nx?: { readonly tags?: readonly string[] };
}

/** Returns the libs with the tag `npm:public`, which `nx release` uses too. */
export function publishable(): Package[] {
  return readdirSync(join(workspaceRoot, 'libs'))
    .map((name) => join(workspaceRoot, 'libs', name))
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map((folder) => ({ folder, manifest: readManifest(join(folder, 'package.json')) }))
    .filter(({ manifest }) => manifest.nx?.tags?.includes('npm:public'))
    .map(({ folder, manifest }) => ({ name: manifest.name, folder, manifest }));
}

export function readManifest(file: string): Manifest {
  return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
}

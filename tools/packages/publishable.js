import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '../workspace/root.js';

/**
 * A lib that is published.
 * @typedef {object} Package
 * @property {string} name `@items/paging`
 * @property {string} folder absolute.
 * @property {{ version: string, private?: boolean, dependencies?: Record<string, string>, peerDependencies?: Record<string, string>, devDependencies?: Record<string, string> }} manifest
 */

/** @returns {Package[]} the libs with the tag `npm:public`, which is the one that `nx release` goes by. */
export function publishable() {
  return readdirSync(join(workspaceRoot, 'libs'))
    .map((name) => join(workspaceRoot, 'libs', name))
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) }))
    .filter(({ manifest }) => manifest.nx?.tags?.includes('npm:public'))
    .map(({ folder, manifest }) => ({ name: manifest.name, folder, manifest }));
}

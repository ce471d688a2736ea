import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '../workspace/root.ts';

/**
 * A published lib.
 * @typedef {object} Package
 * @property {string} name such as `@items/paging`.
 * @property {string} folder absolute path.
 * @property {Manifest} manifest
 */

/**
 * The properties of a package.json that the tools read.
 * @typedef {object} Manifest
 * @property {string} name
 * @property {string} version
 * @property {boolean} [private]
 * @property {Record<string, string | Record<string, string>>} [exports]
 * @property {Record<string, string>} [scripts]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, string>} [devDependencies]
 * @property {object} [nx]
 */

/** @returns {Package[]} the libs with the tag `npm:public`, which `nx release` uses too. */
export function publishable() {
  return readdirSync(join(workspaceRoot, 'libs'))
    .map((name) => join(workspaceRoot, 'libs', name))
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) }))
    .filter(({ manifest }) => manifest.nx?.tags?.includes('npm:public'))
    .map(({ folder, manifest }) => ({ name: manifest.name, folder, manifest }));
}

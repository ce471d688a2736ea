import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const workspace = join(__dirname, '../..');

/** Licences that allow MIT software to depend on a package. */
const COMPATIBLE = new Set([
  ...['MIT', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0'],
  '(MIT OR CC0-1.0)',
]);
/** Packages whose manifest names no licence: it is in their readme. */
const IN_README: Record<string, string> = { 'node_modules/pause': 'MIT' };

interface Locked {
  license?: string;
  dev?: boolean;
  devOptional?: boolean;
  link?: boolean;
}

/** Returns the licence of a package by its manifest; older ones have a list. */
function licenceOf(path: string): string {
  const file = join(workspace, path, 'package.json');
  const manifest = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  return manifest.license ?? manifest.licenses?.[0]?.type ?? IN_README[path];
}

describe('Dependencies outside of development', () => {
  it('have licences that are compatible with MIT', () => {
    const packages: Record<string, Locked> = JSON.parse(
      readFileSync(join(workspace, 'package-lock.json'), 'utf8'),
    ).packages;
    const installed = Object.entries(packages).filter(
      ([path, { dev, devOptional, link }]) => path.includes('node_modules/') && !dev && !devOptional && !link,
    );
    expect(installed.length).toBeGreaterThan(100);
    const others = installed
      .map(([path, { license }]) => [path, license ?? licenceOf(path)])
      .filter(([, licence]) => !COMPATIBLE.has(String(licence)));
    expect(others).toEqual([]);
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

describe('package-lock.json', () => {
  const packages = Object.entries(lock.packages);

  it('names no registry, so that it installs from any', () => {
    const addresses = packages.filter(([, { resolved }]) => /^[a-z+]+:/.test(resolved ?? ''));
    expect(addresses).toEqual([]);
  });

  it('has a decision in allowScripts for every package of others that wants to run one on installation', () => {
    const undecided = packages
      .filter(([path, { hasInstallScript }]) => path !== '' && hasInstallScript)
      .map(([path]) => path.replace(/^.*node_modules\//, ''))
      .filter((name) => !(name in manifest.allowScripts));
    expect(undecided).toEqual([]);
  });
});

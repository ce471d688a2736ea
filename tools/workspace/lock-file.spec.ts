import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(__dirname, '../..');
const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
const packagesOf = (file: string) =>
  Object.entries<{ resolved?: string; hasInstallScript?: boolean }>(read(file).packages);
const ownTools = readdirSync(join(root, 'tools/checks/own-tools'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `tools/checks/own-tools/${name}/package-lock.json`);
const lockFiles = ['package-lock.json', 'tools/node/package-lock.json', 'examples/mcp/package-lock.json', ...ownTools];

describe('package-lock.json', () => {
  it.each(lockFiles)('names no registry, so that it can be installed from any: %s', (file) => {
    const addresses = packagesOf(file).filter(([, { resolved }]) => /^[a-z+]+:/.test(resolved ?? ''));
    expect(addresses).toEqual([]);
  });

  it.each(lockFiles)('matches the manifest in its folder: %s', (file) => {
    const { dependencies, optionalDependencies } = read(join(dirname(file), 'package.json'));
    const wanted = Object.entries({ ...dependencies, ...optionalDependencies });
    const { '': own } = read(file).packages;
    expect({ ...own.dependencies, ...own.optionalDependencies }).toEqual(Object.fromEntries(wanted));
  });

  it('has a decision in allowScripts for every foreign package with an installation script', () => {
    const undecided = packagesOf('package-lock.json')
      .filter(([path, { hasInstallScript }]) => path !== '' && hasInstallScript)
      .map(([path]) => path.replace(/^.*node_modules\//, ''))
      .filter((name) => !(name in read('package.json').allowScripts));
    expect(undecided).toEqual([]);
  });
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dependenciesAreCurrent } from './dependencies.ts';

describe('npm start installs', () => {
  const root = mkdtempSync(join(tmpdir(), 'items-dependencies-'));
  const wanted = {
    '': { name: 'workspace' },
    'libs/a': { version: '0.0.0' },
    'node_modules/a': { link: true },
    'node_modules/express': { version: '5.0.0' },
    'node_modules/fsevents': { version: '2.0.0', optional: true },
  };

  beforeAll(() => {
    mkdirSync(join(root, 'node_modules'));
    writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: wanted }));
  });
  afterAll(() => rmSync(root, { recursive: true }));

  /** The file that npm writes to node_modules as its last step. */
  function installed(packages: object | undefined) {
    const record = join(root, 'node_modules/.package-lock.json');
    rmSync(record, { force: true });
    if (packages !== undefined) writeFileSync(record, JSON.stringify({ packages }));
  }

  it('nothing if node_modules matches the lock file, except for optional packages', () => {
    installed({ 'node_modules/a': { link: true }, 'node_modules/express': { version: '5.0.0' } });
    expect(dependenciesAreCurrent('develop', root)).toBe(true);
  });

  it.each([
    ['on a fresh clone and after an interrupted installation', undefined],
    ['where a package is missing', { 'node_modules/a': { link: true } }],
    [
      'where the lock file wants another version',
      { 'node_modules/a': { link: true }, 'node_modules/express': { version: '4.0.0' } },
    ],
    [
      'where a library of the workspace is not linked',
      { 'node_modules/a': { version: '1.0.0' }, 'node_modules/express': { version: '5.0.0' } },
    ],
  ])('%s', (_, packages) => {
    installed(packages);
    expect(dependenciesAreCurrent('develop', root)).toBe(false);
  });
});

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createService, CreateServiceError } from './index.js';

let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'create-service-'))));
afterEach(() => rmSync(folder, { recursive: true }));

describe('createService', () => {
  it('writes at most ten files, with the name and the version in them', () => {
    const target = join(folder, 'my-service');
    const files = createService(target);
    expect(readdirSync(target).sort()).toEqual([...files].sort());
    expect(files.length).toBeLessThanOrEqual(10);
    const manifest: unknown = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({
      name: 'my-service',
      dependencies: { '@items/service': expect.stringMatching(/^\^\d/) },
    });
    for (const file of files) expect(readFileSync(join(target, file), 'utf8')).not.toContain('{{');
  });

  it('fills an empty folder', () => {
    const target = join(folder, 'empty');
    mkdirSync(target);
    expect(createService(target)).toContain('.gitignore');
  });

  it('changes nothing in a folder that has files', () => {
    writeFileSync(join(folder, 'mine'), '');
    expect(() => createService(folder)).toThrow(CreateServiceError);
    expect(readdirSync(folder)).toEqual(['mine']);
  });

  it.each(['My Service', '.hidden', 'ä'])('refuses %s, which is no name of a package', (name) => {
    expect(() => createService(join(folder, name))).toThrow('cannot be the name of a package');
    expect(readdirSync(folder)).toEqual([]);
  });
});

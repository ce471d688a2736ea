import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createService, CreateServiceError } from './index.js';
import { itemsPackages } from './items-packages.js';

let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'create-service-'))));
afterEach(() => rmSync(folder, { recursive: true }));

function filesIn(target: string): string[] {
  return readdirSync(target, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(target.length + 1))
    .filter((file) => !file.startsWith('.git/'))
    .sort();
}

describe('createService', () => {
  it('writes at most 14 files, with the name and the version in them', () => {
    const target = join(folder, 'my-service');
    const files = createService(target);
    expect(filesIn(target)).toEqual([...files].sort());
    expect(files.length).toBeLessThanOrEqual(14);
    const manifest: unknown = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({
      name: 'my-service',
      // Rules throw errors of @items/conventions.
      dependencies: {
        '@items/conventions': expect.stringMatching(/^\^\d/),
        '@items/service': expect.stringMatching(/^\^\d/),
      },
      devDependencies: { '@items/conformance': expect.stringMatching(/^\^\d/) },
    });
    expect(manifest).not.toHaveProperty('overrides');
    for (const file of files) expect(readFileSync(join(target, file), 'utf8')).not.toMatch(/\{\{\w/);
  });

  it('writes the first collection as the documents show it', () => {
    createService(join(folder, 'shop'));
    expect(readFileSync(join(folder, 'shop/src/books.ts'), 'utf8')).toContain(`class BookInput {
  @Sortable() @Text({ min: 1, max: 200, trim: true }) title!: string;
  @Filterable() @Text({ min: 1, max: 100 }) author!: string;
  @Sortable() @Optional() @Integer({ min: 0, max: 9999 }) year!: number | null;
}
export const books = collection({ name: 'books', singular: 'book', input: BookInput, events: true });`);
  });

  it.each([
    ['order_notes', 'order-notes', "orderNotes = collection({ name: 'order_notes', singular: 'order note',"],
    ['categories', 'categories', "categories = collection({ name: 'categories', singular: 'category',"],
    ['boxes', 'boxes', "boxes = collection({ name: 'boxes', singular: 'box',"],
    ['houses', 'houses', "houses = collection({ name: 'houses', singular: 'house',"],
    ['staff', 'staff', "staff = collection({ name: 'staff', singular: 'staff',"],
  ])('derives the names of %s', (collection, path, declaration) => {
    createService(join(folder, 'shop'), { collection });
    expect(readFileSync(join(folder, `shop/src/${path}.ts`), 'utf8')).toContain(declaration);
    expect(readFileSync(join(folder, 'shop/src/service.ts'), 'utf8')).toContain(`from './${path}.js'`);
  });

  it('creates a Git repository, if wanted', () => {
    createService(join(folder, 'with'));
    createService(join(folder, 'without'), { git: false });
    expect([existsSync(join(folder, 'with/.git')), existsSync(join(folder, 'without/.git'))]).toEqual([true, false]);
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

  it.each(['My Service', '.hidden', 'ä'])('refuses %s, which cannot be the name of a package', (name) => {
    expect(() => createService(join(folder, name))).toThrow('cannot be the name of a package');
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each(['Books', 'order-notes', 'test', '1st', ''])('refuses a collection named "%s"', (collection) => {
    expect(() => createService(join(folder, 'shop'), { collection })).toThrow('A collection cannot be named');
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['users', 'the service itself has a table, a path or a scope of this name'],
    ['events_old', 'the service itself has a table, a path or a scope of this name'],
    ['book_versions', 'tables whose names end in _versions hold replaced members'],
  ])('refuses %s, which the start refuses', (collection, problem) => {
    expect(() => createService(join(folder, 'shop'), { collection })).toThrow(
      `A collection cannot be named "${collection}": ${problem}.`,
    );
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('Packages in the folder vendor', () => {
  it('are named by file, the indirect ones as overrides', () => {
    const names = [
      'service-1.0.0',
      'fields-1.0.0',
      'conventions-1.0.0',
      'conformance-1.0.0',
      'exception-filter-1.0.0-rc.1',
    ];
    for (const name of names) writeFileSync(join(folder, `items-${name}.tgz`), '');
    expect(itemsPackages(folder)).toEqual({
      specifiers: {
        '@items/service': 'file:vendor/items-service-1.0.0.tgz',
        '@items/fields': 'file:vendor/items-fields-1.0.0.tgz',
        '@items/conventions': 'file:vendor/items-conventions-1.0.0.tgz',
        '@items/conformance': 'file:vendor/items-conformance-1.0.0.tgz',
      },
      overrides: { '@items/exception-filter': 'file:vendor/items-exception-filter-1.0.0-rc.1.tgz' },
      vendor: folder,
    });
  });
});

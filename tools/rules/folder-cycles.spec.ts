import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderCycles } from './folder-cycles.ts';

const workspace = join(__dirname, '../..');

/** Reads production code of some folders. Specs are excluded, because they may import from both sides. */
function sourcesIn(...folders: string[]) {
  const list = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...folders], { cwd: workspace });
  const files = String(list)
    .split('\n')
    .filter((file) => /(?<!\.spec|\.testing)\.ts$/.test(file));
  return new Map(files.map((file) => [file, readFileSync(join(workspace, file), 'utf8')]));
}

describe('Folders', () => {
  it('never import each other in a circle', () => {
    const sources = sourcesIn('apps/api/src', 'libs');
    expect(sources.size).toBeGreaterThan(500);
    expect(folderCycles(sources)).toEqual([]);
  });

  it('are compared below their common parent, and types count', () => {
    const books = 'tools/fixtures/folder-cycles/books/src';
    expect(folderCycles(sourcesIn(books))).toEqual([`${books}/shelves ↔ ${books}/titles`]);
  });
});

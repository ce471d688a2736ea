import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const docs = join(__dirname, '../../docs');
const METRIC = /`(?:rate\()?((?:items|nodejs|process)_[a-z0-9_]+)/g;
const LINK = /\]\(([^)#]+\.md)/g;

function read(file: string) {
  return readFileSync(join(docs, file), 'utf8');
}

function all(text: string, pattern: RegExp) {
  return [...text.matchAll(pattern)].map(([, found = '']) => found);
}

describe('docs/runbooks', () => {
  const pages = readdirSync(join(docs, 'runbooks'));
  const running = all(read('running.md'), LINK);

  it('has the pages that running.md links, and no others', () => {
    const linked = running.filter((path) => path.startsWith('runbooks/'));
    expect(linked.sort()).toEqual(pages.map((page) => `runbooks/${page}`).sort());
  });

  it.each(pages)('%s names only existing metrics and links to existing pages', (page) => {
    const text = read(`runbooks/${page}`);
    const known = new Set(all(read('metrics.md'), METRIC));
    expect(all(text, METRIC).filter((name) => !known.has(name))).toEqual([]);
    expect(all(text, LINK).filter((path) => !existsSync(join(docs, 'runbooks', path)))).toEqual([]);
  });

  it.each(pages)('%s names the symptom, the meaning, the remedy, and the sign that the problem is over', (page) => {
    const headings = all(read(`runbooks/${page}`), /^## (.+)$/gm);
    expect(headings).toEqual(['What one sees', 'What it means', 'What to do', 'How to see that it is over']);
  });
});

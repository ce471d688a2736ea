import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const workspace = join(__dirname, '../..');
/** Matches the target of a link within this repository, inline or as a reference. */
const LINK = /\]\((?!https?:|mailto:)([^)\s]+)\)|^\[[^\]]+\]: (?!https?:|mailto:)(\S+)/gm;

/** Returns Markdown without code blocks. */
function textOf(file: string) {
  return readFileSync(join(workspace, file), 'utf8').replaceAll(/^ *```.*?^ *```/gms, '');
}

/** Returns the anchors that GitHub creates from the headings of a page. */
function anchorsIn(text: string) {
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  return headings.map((heading) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function brokenIn(file: string, text: string) {
  const links = [...text.matchAll(LINK)].map(([, inline, reference]) => inline ?? reference ?? '');
  return links.filter((link) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? file : normalize(join(dirname(file), path));
    if (!existsSync(join(workspace, target))) return true;
    return anchor !== undefined && target.endsWith('.md') && !anchorsIn(textOf(target)).includes(anchor);
  });
}

describe('Links between documents', () => {
  const list = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], { cwd: workspace });
  const files = String(list)
    .split('\n')
    .filter((file) => existsSync(join(workspace, file)) && file.endsWith('.md'));

  it('lead to an existing file, and to one of its headings', () => {
    const broken = files.flatMap((file) => brokenIn(file, textOf(file)).map((link) => `${file}: ${link}`));
    expect(broken).toEqual([]);
  });

  it('a broken link is found', () => {
    const page = '[a](README.md) [b](gone.md)\n\n[c](README.md#read-on) [d](README.md#gone)\n\n[e]: docs/gone.md\n';
    expect(brokenIn('README.md', page)).toEqual(['gone.md', 'README.md#gone', 'docs/gone.md']);
  });
});

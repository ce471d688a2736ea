import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const workspace = join(__dirname, '../..');
const CITATION = /SPEC §\d+(?:\.\d+)?(?: rules? \d+)?(?:, §\d+(?:\.\d+)?(?: rules? \d+)?)*/g;
const SECTION = /§(\d+(?:\.\d+)?)(?: rules? (\d+))?/g;

/** Documents that the specification has replaced. */
const FORMER =
  /decisions(?:\.md)?,? (?:§\d|")|(?:authentication|decisions|events|items-http-api|snapshot-paging)\.md|shared\/spec/gi;

/** Files that git tracks or would add, so that a new file is checked before its first commit. */
function files() {
  const list = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.js', '*.md'], {
    cwd: workspace,
    encoding: 'utf8',
  });
  return list.split('\n').filter((file) => file !== '' && file !== 'CHANGELOG.md');
}

/**
 * Reads the sections of the specification, and the numbered rules of each: `4`, `4.1`, `4 rule 3`.
 * @param text Markdown whose headings begin with `§n` or `§n.m`.
 */
function sectionsOf(text: string) {
  const sections = new Set();
  let current = '';
  for (const line of text.split('\n')) {
    const heading = /^#+ §(\d+(?:\.\d+)?) /.exec(line)?.[1];
    if (heading !== undefined) sections.add((current = heading));
    const rule = /^(\d+)\. /.exec(line)?.[1];
    if (rule !== undefined) sections.add(`${current} rule ${rule}`);
  }
  return sections;
}

/** Returns each section that a text cites, as `4.1` or `4 rule 3`. */
function citationsIn(text: string) {
  const sections = (text.match(CITATION) ?? []).flatMap((citation) => [...citation.matchAll(SECTION)]);
  return sections.map(([, section = '', rule]) => (rule === undefined ? section : `${section} rule ${rule}`));
}

/** Calls `find` for each file, and prefixes its results with the file name. */
function findings(find: (text: string) => string[]) {
  const others = files().filter((file) => file !== 'tools/rules/cited-sections.spec.ts');
  return others.flatMap((file) => {
    const text = readFileSync(join(workspace, file), 'utf8');
    return find(text).map((found) => `${file}: ${found}`);
  });
}

describe('Citations of the specification', () => {
  const sections = sectionsOf(readFileSync(join(workspace, 'docs/specification.md'), 'utf8'));

  it('are read with their section and rule', () => {
    expect(citationsIn('/** SPEC §4.1, §7, ADR 3, SPEC §4 rule 3 */')).toEqual(['4.1', '7', '4 rule 3']);
    expect([...sectionsOf('## §4 Endpoints\n\n1. One.\n\n### §4.1 Lists\n')]).toEqual(['4', '4 rule 1', '4.1']);
  });

  it('name a section that the specification has', () => {
    const unknown = findings((text) => citationsIn(text).filter((section) => !sections.has(section)));
    expect(unknown).toEqual([]);
  });

  it('name the specification, and none of the documents that it has replaced', () => {
    expect(findings((text) => text.match(FORMER) ?? [])).toEqual([]);
  });
});

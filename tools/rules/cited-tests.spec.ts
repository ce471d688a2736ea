import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const workspace = join(__dirname, '../..');
const PAGE = 'docs/security.md';
/** A test or group that the page cites: a link to its file, and its exact title. */
const CITATION = /^- \[[^\]]+\]\(\.\.\/([^)]+)\): (.+)$/;
const RISKS = Array.from({ length: 10 }, (_, index) => `API${String(index + 1)}`);

/**
 * Returns the tests that a page cites, each with the risk from the heading above it.
 * @param text Markdown, in which a long title continues on an indented line.
 */
function citationsIn(text: string) {
  const citations: { risk: string; file: string; title: string }[] = [];
  let risk = '';
  for (const line of text.replaceAll('\n  ', ' ').split('\n')) {
    risk = /^## (API\d+)/.exec(line)?.[1] ?? risk;
    const [, file, title] = CITATION.exec(line) ?? [];
    if (file !== undefined && title !== undefined) citations.push({ risk, file, title });
  }
  return citations;
}

function hasTest(source: string, title: string) {
  return ["'", '"', '`'].some((quote) => source.includes(`${quote}${title}${quote},`));
}

function problemOf({ file, title }: { file: string; title: string }) {
  const path = join(workspace, file);
  if (!existsSync(path)) return [`${file} does not exist`];
  return hasTest(readFileSync(path, 'utf8'), title) ? [] : [`${file} has no test "${title}"`];
}

describe(PAGE, () => {
  const text = readFileSync(join(workspace, PAGE), 'utf8');
  const citations = citationsIn(text);

  it('cites existing tests', () => {
    expect(citations.flatMap(problemOf)).toEqual([]);
  });

  it('cites a test for each risk, in a format that this spec parses', () => {
    expect([...new Set(citations.map(({ risk }) => risk))]).toEqual(RISKS);
    expect(citations).toHaveLength(text.match(/^- \[.*\.spec\./gm)?.length ?? 0);
  });

  it('a missing file or test is reported', () => {
    const file = 'tools/rules/cited-sections.spec.ts';
    const [cited] = citationsIn(`## API1 X\n\n- [x](../${file}): a title that\n  it has not`);
    expect(cited).toEqual({ risk: 'API1', file, title: 'a title that it has not' });
    expect(cited && problemOf(cited)).toEqual([`${file} has no test "a title that it has not"`]);
    expect(problemOf({ file: 'gone.spec.js', title: 'x' })).toEqual(['gone.spec.js does not exist']);
  });
});

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const workspace = join(__dirname, '../..');
const FIXTURE = 'tools/fixtures/plain-english/page.md';
/** Phrases that read like a translation. A sentence should name its subject and the subject's action. */
const PHRASES = [
  'whoever',
  'nobody',
  'likewise',
  '(?:is|are) told',
  'hears of',
  'who (?:means|asks|reads|wants)',
  'what is (?:known|kept|asked|told|made|due)',
  'is found out',
  'of those that',
];
const PHRASE = new RegExp(String.raw`\b(?:${PHRASES.join('|')})\b`, 'gi');

/** Maximum number of lines with such a phrase. Lower a number after a rewrite; never raise one. */
const LEFT = { documents: 0, code: 27 };

/** Returns `file:line` of each line with such a phrase. */
function found(...patterns: string[]) {
  const list = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...patterns], { cwd: workspace });
  const files = String(list)
    .split('\n')
    .filter((file) => file !== '' && file !== FIXTURE && !file.startsWith('tools/rules/plain-english'));
  return files.flatMap((file) => linesIn(readFileSync(join(workspace, file), 'utf8')).map((line) => `${file}:${line}`));
}

/** Returns the numbers of the lines with such a phrase. */
function linesIn(text: string) {
  return text.split('\n').flatMap((line, index) => (line.match(PHRASE) === null ? [] : [index + 1]));
}

describe('Plain English', () => {
  const text = readFileSync(join(workspace, FIXTURE), 'utf8');

  it('finds each phrase of the fixture, and none in its last sentence', () => {
    const matches = (text.match(PHRASE) ?? []).map((match) => match.toLowerCase());
    for (const phrase of PHRASES) expect(matches.some((match) => new RegExp(`^${phrase}$`).test(match))).toBe(true);
    expect(linesIn(text)).toEqual([1, 2, 3]);
  });

  it('is kept in documents', () => {
    const lines = found('*.md');
    expect([lines.length <= LEFT.documents, lines]).toEqual([true, lines]);
  });

  it('is kept in code, comments and messages, but for the lines that are left', () => {
    expect(found('*.ts', '*.tsx', '*.js').length).toBeLessThanOrEqual(LEFT.code);
  });
});

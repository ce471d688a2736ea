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

/** Contains eight bad titles, and two good ones. */
const TITLES_FIXTURE = 'tools/fixtures/plain-english/titles.txt';
/** Banned words in titles of tests and groups. */
const TITLE_WORDS = [
  'anew',
  'answer(?:s|ed)',
  'at once',
  'besides?',
  'everybody',
  'for ever',
  'goes? on',
  'however',
  'is asked',
  'left out',
  'makers?',
  'nobody',
  'says so',
  'somebody',
  'tells?',
  'told',
  'whatever',
  'whichever',
  'whoever',
];
/** Banned first words: such a title continues another sentence. */
const OPENINGS = ['also', 'and', 'but', 'even', 'likewise', 'nor', 'of', 'so', 'that', 'what', 'whose'];
const TITLE_WORD = new RegExp(String.raw`\b(?:${TITLE_WORDS.join('|')})\b`, 'i');
const OPENING = new RegExp(`^(?:${OPENINGS.join('|')}) `, 'i');
/** The first argument of `it`, `describe…` and `it.each(…)()`. */
const TITLE = /(\bit|\bdescribe\w*|\))\(\s*(['"`])(.+?)\2,/g;

/** Returns the matching files of the repository, except those that list the phrases. */
function filesLike(...patterns: string[]) {
  const list = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...patterns], { cwd: workspace });
  return String(list)
    .split('\n')
    .filter((file) => file !== '' && file !== FIXTURE && !file.startsWith('tools/rules/plain-english'));
}

/** Returns `file:line` of each line with such a phrase. */
function found(...patterns: string[]) {
  return filesLike(...patterns).flatMap((file) =>
    linesIn(readFileSync(join(workspace, file), 'utf8')).map((line) => `${file}:${line}`),
  );
}

/** Returns the titles in a spec that have a banned word, and the titles of tests that have a banned opening. */
function badTitlesIn(source: string) {
  return Array.from(source.matchAll(TITLE)).flatMap(([, call = '', , title = '']) => {
    const isBad = TITLE_WORD.test(title) || (!call.startsWith('describe') && OPENING.test(title));
    return isBad ? [title] : [];
  });
}

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

  it('finds the titles of the fixture, and none of its last two', () => {
    const source = readFileSync(join(workspace, TITLES_FIXTURE), 'utf8');
    const titles = badTitlesIn(source);
    expect(titles).toHaveLength(8);
    for (const word of TITLE_WORDS) {
      expect([word, titles.some((title) => new RegExp(`\\b${word}\\b`).test(title))]).toEqual([word, true]);
    }
  });

  it('is used in titles of tests', () => {
    const specs = filesLike('*.spec.ts', '*.spec.tsx', '*.spec.js');
    expect(specs.length).toBeGreaterThan(300);
    const titles = specs.flatMap((file) =>
      badTitlesIn(readFileSync(join(workspace, file), 'utf8')).map((title) => `${file}: ${title}`),
    );
    expect(titles).toEqual([]);
  });

  it('is used in documents', () => {
    const lines = found('*.md');
    expect([lines.length <= LEFT.documents, lines]).toEqual([true, lines]);
  });

  it('is used in code, comments and messages, except for a maximum number of lines', () => {
    expect(found('*.ts', '*.tsx', '*.js').length).toBeLessThanOrEqual(LEFT.code);
  });
});

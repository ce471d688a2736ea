import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const workspace = join(__dirname, '../..');
const folder = join(workspace, 'docs/adr');
const CITATION = /\bADR (\d+)/g;
const MAX_RECORDS = 35;
const MAX_LINES = 60;

const records = readdirSync(folder).filter((file) => /^\d{4}-/.test(file));
const current = new Set(records.map((file) => Number(file.slice(0, 4))));
const history = readFileSync(join(folder, 'history.md'), 'utf8');
const retired = new Set([...history.matchAll(/^- \*\*(\d+)\.\*\*/gm)].map(([, number]) => Number(number)));

/** Returns `file: ADR number` of each citation of a number that is not a record. */
function citationsOfOthers(...patterns: string[]) {
  const list = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...patterns], { cwd: workspace });
  const files = String(list)
    .split('\n')
    .filter((file) => file !== '' && file !== 'CHANGELOG.md' && !file.startsWith('docs/adr/'));
  return files.flatMap((file) => {
    const text = readFileSync(join(workspace, file), 'utf8');
    const numbers = [...text.matchAll(CITATION)].map(([, number]) => Number(number));
    return numbers.filter((number) => !current.has(number)).map((number) => `${file}: ADR ${String(number)}`);
  });
}

describe('Decisions', () => {
  it('are few, and each fits a page', () => {
    expect(records.length).toBeLessThanOrEqual(MAX_RECORDS);
    const long = records.filter((file) => readFileSync(join(folder, file), 'utf8').split('\n').length > MAX_LINES);
    expect(long).toEqual([]);
  });

  it('have one number each, which is not in the history', () => {
    expect(current.size).toBe(records.length);
    expect([...current].filter((number) => retired.has(number))).toEqual([]);
  });

  it('are cited by the number of a current record', () => {
    expect(citationsOfOthers('*.ts', '*.tsx', '*.js', '*.md', '*.yaml', '*.yml')).toEqual([]);
  });
});

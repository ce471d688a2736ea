import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const workspace = join(__dirname, '../..');
/** Matches a test or hook with its own time-out. */
const TIME_OUT = /^( *)(?:it|test|before|after)[^\n]*\{\n(?:(?:\1 [^\n]*)?\n)*\1\}, ([\d_]+)\);$/gm;

/** Returns `file: time-out` of each test or hook whose own time-out does not exceed the default. */
function shortTimeOuts(file: string): string[] {
  const usual = file.startsWith('apps/api-e2e/') ? 120_000 : 60_000;
  const text = readFileSync(join(workspace, file), 'utf8');
  return [...text.matchAll(TIME_OUT)]
    .map(([, , ms = '']) => Number(ms.replaceAll('_', '')))
    .filter((ms) => ms <= usual)
    .map((ms) => `${file}: ${ms}`);
}

describe('Time-outs of tests', () => {
  it('are not shorter than the default, which grows with the load of the machine', () => {
    const files = String(
      execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.spec.*'], { cwd: workspace }),
    );
    expect(files.split('\n').filter(Boolean).flatMap(shortTimeOuts)).toEqual([]);
  });
});

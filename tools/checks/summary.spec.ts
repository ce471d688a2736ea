import { summary } from './summary.ts';

describe('The summary of npm test', () => {
  const rows = [
    { title: 'Lint', seconds: 1.234, outcome: { passed: 1, failed: 0, skipped: 0, notes: [] } },
    { title: 'Unit tests', seconds: 60, outcome: { passed: 40, failed: 2, skipped: 3, notes: ['skipped 3 × Redis'] } },
  ];

  it('ends with the totals of all checks, alone on the last line', () => {
    expect(summary(rows, []).split('\n').at(-1)).toBe('41 passed, 2 failed, 3 skipped');
  });

  it('lists the result of each check, and the reason of a skip', () => {
    const text = summary(rows, ['no Redis: 127.0.0.1:6379 is silent']);
    expect(text).toMatch(/^Lint +1 +0 +0 +1\.2 s$/m);
    expect(text).toMatch(/^no Redis: 127\.0\.0\.1:6379 is silent$/m);
    expect(text).toMatch(/^Unit tests: skipped 3 × Redis$/m);
  });
});

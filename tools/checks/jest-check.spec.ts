import { argsFor, isViolation, skippedTests } from './jest-check.ts';

describe('Files that failed', () => {
  it('run again by their paths, with the options of the whole run and none of its patterns', () => {
    const args = [
      '-c',
      'apps/api-e2e/jest.config.js',
      'running/metrics',
      '--testPathIgnorePatterns=slow',
      'running/admin-',
    ];
    expect(argsFor(['a.spec.ts', 'b.spec.ts'], args)).toEqual([
      '-c',
      'apps/api-e2e/jest.config.js',
      '--testPathIgnorePatterns=slow',
      '--maxWorkers=1',
      '--coverage=false',
      '--runTestsByPath',
      'a.spec.ts',
      'b.spec.ts',
    ]);
  });

  it('do not run again after a violated history', () => {
    expect(isViolation('"Violation: 01a2 is not linearizable:\n0.0 to 24.5 ms: create 1: done"')).toBe(true);
    expect(isViolation('Exceeded timeout of 60000 ms for a test.')).toBe(false);
  });
});

describe('Skipped tests', () => {
  it('are counted by file and group, without those that the selection by name excludes', () => {
    const result = (status: string, group: string, title: string) => ({
      status,
      title,
      fullName: `${group} ${title}`,
      ancestorTitles: [group],
    });
    const assertionResults = [
      result('passed', 'Faults', 'redis-killed'),
      result('pending', 'Faults', 'disk-full'),
      result('pending', 'Clocks', 'Clock'),
      result('todo', 'Clocks', 'clock-5m'),
    ];
    const results = { testResults: [{ name: 'a.spec.ts', status: 'passed', message: '', assertionResults }] };
    expect([...skippedTests(results, /clock/i).values()]).toEqual([2]);
    expect([...skippedTests(results, /(?:)/i).values()]).toEqual([1, 2]);
  });
});

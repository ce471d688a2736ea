import { argsFor } from './jest-check.ts';

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
});

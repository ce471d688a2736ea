import { availableParallelism } from 'node:os';

import { slowdown } from './jest.preset.js';

/** All tests that need no built service. apps/api-e2e has its own configuration. */
export default {
  projects: ['<rootDir>/libs/*', '<rootDir>/apps/api', '<rootDir>/tools'],
  // Tests spend a third of their time waiting for leases, timers and other processes.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  // With several projects, Jest ignores the time-out of jest.preset.js.
  testTimeout: 60_000 * slowdown,
  // Takes a third of the time of V8's coverage, which Jest maps to the sources again for each test file.
  coverageProvider: 'babel',
  coverageDirectory: 'coverage/jest/unit',
  coverageReporters: ['json'],
  collectCoverageFrom: ['libs/*/src/**/*.ts', 'apps/api/src/**/*.ts', '!libs/testing/**', '!**/*.{spec,testing}.ts'],
};

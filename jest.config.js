import { availableParallelism } from 'node:os';

import { slowdown } from './jest.preset.js';

/** Everything that needs no built service; the black box tests of apps/api-e2e run by themselves. */
export default {
  projects: ['<rootDir>/libs/*', '<rootDir>/apps/api', '<rootDir>/tools'],
  // A third of it is waiting: for leases, timers and other processes.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  // Jest reads it here alone where there are several projects. As in jest.preset.js, for one project.
  testTimeout: 60_000 * slowdown,
  // A third of the time that V8's coverage takes, which Jest maps to the sources anew for every test file.
  coverageProvider: 'babel',
  coverageDirectory: 'coverage/jest/unit',
  coverageReporters: ['json'],
  collectCoverageFrom: ['libs/*/src/**/*.ts', 'apps/api/src/**/*.ts', '!libs/testing/**', '!**/*.{spec,testing}.ts'],
};

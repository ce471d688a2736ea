/** Everything that needs no built service; the black box tests of apps/api-e2e run by themselves. */
export default {
  projects: ['<rootDir>/libs/*', '<rootDir>/apps/api', '<rootDir>/tools'],
  // Jest's default leaves one processor idle, which is half of the smallest machine.
  maxWorkers: '100%',
  coverageProvider: 'v8',
  coverageDirectory: 'coverage/unit',
  coverageReporters: ['json'],
  collectCoverageFrom: ['libs/*/src/**/*.ts', 'apps/api/src/**/*.ts', '!libs/testing/**', '!**/*.{spec,testing}.ts'],
};

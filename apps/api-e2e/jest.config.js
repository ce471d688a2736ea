import { join } from 'node:path';
import { projectConfig, slowdown } from '../../jest.preset.js';
import { databases } from './databases.js';

/** True if an earlier run, for another database, has run the specs without a database. */
const ranBefore = process.env.E2E_ONCE === 'done';

/** With a given service, the tests wait for several windows of its anonymous quota. */
const testTimeout = (databases[0] === 'given' ? 900_000 : 120_000) * slowdown;

/** Folders of specs with a configuration of their own: packages.config.js or faults.config.js. */
const elsewhere = ['packages', 'generators', 'faults', 'fairness', 'alerts'];

/** Runs all specs for each database. */
export default {
  projects: databases.map((database, index) => {
    const shared = projectConfig(`api-e2e ${database}`);
    return {
      ...shared,
      // The covered code is outside the folder of the specs.
      testTimeout,
      rootDir: join(import.meta.dirname, '../..'),
      roots: [import.meta.dirname],
      testMatch: [...shared.testMatch, ...elsewhere.map((name) => `!**/api-e2e/src/${name}/**`)],
      globals: { database, isFirstDatabase: index === 0 && !ranBefore },
      globalSetup: join(import.meta.dirname, 'global-setup.js'),
      globalTeardown: join(import.meta.dirname, 'global-teardown.js'),
      // Node loads the set-up unchanged, with the builds of the libraries.
      transformIgnorePatterns: [...shared.transformIgnorePatterns, '/api-e2e/(global-|databases)'],
    };
  }),
  testTimeout,
  // The tests often wait for services: with three workers, the smallest machine is idle for a third of the time.
  maxWorkers: 4,
  // The conformance tool runs in the process of the tests; services count their own coverage.
  collectCoverageFrom: ['../../libs/conformance/src/**/*.ts', '!**/*.{spec,testing}.ts'],
  coverageProvider: 'babel',
  coverageReporters: ['json'],
};

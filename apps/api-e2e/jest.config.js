import { join } from 'node:path';
import { projectConfig, slowdown } from '../../jest.preset.js';
import { databases } from './databases.js';

/** True if a run for another database has already run the specs that need none. */
const ranBefore = process.env.E2E_ONCE === 'done';

/** With BASE_URL, the tests wait for several windows of the service's anonymous quota. */
const testTimeout = (databases[0] === 'given' ? 900_000 : 120_000) * slowdown;

/** Folders of specs that packages.config.js or faults.config.js runs. */
const elsewhere = ['packages', 'generators', 'faults', 'fairness', 'alerts'];

/** Runs the specs, except those in `elsewhere`, for each database. */
export default {
  projects: databases.map((database, index) => {
    const shared = projectConfig(`api-e2e ${database}`);
    return {
      ...shared,
      testTimeout,
      // The workspace, because the covered code is outside the folder of the specs.
      rootDir: join(import.meta.dirname, '../..'),
      roots: [import.meta.dirname],
      testMatch: [...shared.testMatch, ...elsewhere.map((name) => `!**/api-e2e/src/${name}/**`)],
      globals: { database, isFirstDatabase: index === 0 && !ranBefore },
      globalSetup: join(import.meta.dirname, 'global-setup.js'),
      globalTeardown: join(import.meta.dirname, 'global-teardown.js'),
      // Node loads the set-up without transformation, with the builds of the libs.
      transformIgnorePatterns: [...shared.transformIgnorePatterns, '/api-e2e/(global-|databases)'],
    };
  }),
  testTimeout,
  // The tests often wait for services: with only three workers, the smallest machine is idle for a third of the time.
  maxWorkers: 4,
  // The conformance tool runs in the process of the tests; services count their own coverage.
  collectCoverageFrom: ['../../libs/conformance/src/**/*.ts', '!**/*.{spec,testing}.ts'],
  coverageProvider: 'babel',
  coverageReporters: ['json'],
};

import { join } from 'node:path';
import { projectConfig } from '../../jest.preset.js';
import { databases } from './databases.js';

/** What no database has a part in was run for another database already: `npm test` has a run for each. */
const ranBefore = process.env.E2E_ONCE === 'done';

/** A given service's anonymous quota is waited out, a window at a time. */
const testTimeout = databases[0] === 'given' ? 900_000 : 120_000;

/** One set of specs, run for each database. */
export default {
  projects: databases.map((database, index) => {
    const shared = projectConfig(`api-e2e ${database}`);
    return {
      ...shared,
      // What they count lies outside of their folder.
      testTimeout,
      rootDir: join(import.meta.dirname, '../..'),
      roots: [import.meta.dirname],
      globals: { database, isFirstDatabase: index === 0 && !ranBefore },
      globalSetup: join(import.meta.dirname, 'global-setup.js'),
      globalTeardown: join(import.meta.dirname, 'global-teardown.js'),
      // Node loads the set-up as it stands, with the libraries' builds.
      transformIgnorePatterns: [...shared.transformIgnorePatterns, '/api-e2e/(global-|databases)'],
    };
  }),
  testTimeout,
  // Much of it is waiting for services: with three, the smallest machine is idle for a third of the time.
  maxWorkers: 4,
  // The tool that judges services runs in the tests' own process; the services count for themselves.
  collectCoverageFrom: ['../../libs/conformance/src/**/*.ts', '!**/*.{spec,testing}.ts'],
  coverageProvider: 'babel',
  coverageReporters: ['json'],
};

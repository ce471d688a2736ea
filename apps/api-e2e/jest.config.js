import { projectConfig } from '../../jest.preset.js';
import { databases } from './databases.js';

/** One set of specs, run for each database. */
export default {
  projects: databases.map((database, index) => {
    const shared = projectConfig(`api-e2e ${database}`);
    return {
      ...shared,
      rootDir: import.meta.dirname,
      globals: { database, isFirstDatabase: index === 0 },
      globalSetup: '<rootDir>/global-setup.js',
      globalTeardown: '<rootDir>/global-teardown.js',
      // Node loads the set-up as it stands, with the libraries' builds.
      transformIgnorePatterns: [...shared.transformIgnorePatterns, '/api-e2e/(global-|databases)'],
    };
  }),
  // A given service's anonymous quota is waited out, a window at a time.
  testTimeout: databases[0] === 'given' ? 900_000 : 60_000,
  maxWorkers: 2,
};

import { join } from 'node:path';
import { projectConfig, slowdown } from '../../jest.preset.js';

const testTimeout = 600_000 * slowdown;

/**
 * A Jest project for the specs in a folder of `src`.
 * @param {string} name of the folder.
 * @param {import('jest').Config} [more]
 */
function project(name, more) {
  const shared = projectConfig(name);
  return {
    ...shared,
    testTimeout,
    rootDir: join(import.meta.dirname, '../..'),
    roots: [join(import.meta.dirname, 'src', name)],
    // Node loads the set-up without transformation.
    transformIgnorePatterns: [...shared.transformIgnorePatterns, '/api-e2e/global-'],
    ...more,
  };
}

/**
 * Specs of the published packages and of generators. They are not part of `jest.config.js`, because they change builds
 * that the services of other specs use.
 */
export default {
  projects: [
    project('packages', {
      globalSetup: join(import.meta.dirname, 'global-setup-packages.js'),
      globalTeardown: join(import.meta.dirname, 'global-teardown-packages.js'),
    }),
    project('generators'),
  ],
  testTimeout,
  maxWorkers: 2,
};

import config from './jest.config.js';

/**
 * Specs that cause faults, overload and alerts, which take minutes to an hour each. They run one after another, because
 * faults disturb each other.
 */
export default {
  ...config,
  projects: config.projects.map((project) => ({
    ...project,
    testMatch: ['**/api-e2e/src/{faults,fairness,alerts}/**/*.spec.ts'],
  })),
  maxWorkers: 1,
};

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
  // After some faults, Node 24 hangs in a busy loop at its exit, while it frees the handles of reset connections.
  forceExit: true,
};

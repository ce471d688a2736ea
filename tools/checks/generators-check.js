import { tryGenerators } from '../generators/trial/trial.js';
import { failedOnce, passedOnce } from './outcome.ts';

/**
 * Checks that a generated collection passes the tests.
 * @param {Record<string, string>} servers environment with the addresses of the test servers.
 * @returns {import('./outcome.ts').Check}
 */
export function generatorsCheck(servers) {
  return {
    name: 'generators',
    title: 'Generated collections (in a copy)',
    isLong: true,
    run: async () => {
      try {
        await tryGenerators(servers);
        return passedOnce;
      } catch (error) {
        console.error(error instanceof Error ? error.message : error);
        return failedOnce;
      }
    },
  };
}

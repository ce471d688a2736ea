import { tryGenerators } from '../generators/trial/trial.js';
import { failedOnce, passedOnce } from './outcome.js';

/**
 * A generated collection is a good one.
 * @param {Record<string, string>} servers the environment that names the servers of the tests.
 * @returns {import('./outcome.js').Check}
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

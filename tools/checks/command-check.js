import { runNode } from '../workspace/run.js';
import { failedOnce, passedOnce } from './outcome.js';

/**
 * A check that is one command: it passes or fails as a whole, and shows its output only where it fails.
 * @param {string} name
 * @param {string} title
 * @param {readonly string[]} args of Node.
 * @param {Partial<import('./outcome.js').Check> & { env?: Record<string, string> }} [options] what else the check is.
 * @returns {import('./outcome.js').Check}
 */
export function commandCheck(name, title, args, { env, ...more } = {}) {
  return {
    name,
    title,
    ...more,
    run: async () => {
      const { ok, output } = await runNode(args, { output: 'collect', ...(env && { env }) });
      if (ok) return passedOnce;
      console.error(output.trimEnd());
      return failedOnce;
    },
  };
}

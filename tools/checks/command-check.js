import { join } from 'node:path';
import { ownTool } from '../workspace/own-tool.js';
import { runNode } from '../workspace/run.js';
import { failedOnce, passedOnce } from './outcome.js';

/**
 * A check that runs one command: it passes or fails as a whole, and prints its output only after a failure.
 * @param {string} name
 * @param {string} title
 * @param {readonly string[]} args arguments of Node.
 * @param {Partial<import('./outcome.js').Check> & { env?: Record<string, string>, ownTool?: string }} [options]
 * further properties of the check. `ownTool` is the tool, with its own lock file, that contains the script.
 * @returns {import('./outcome.js').Check}
 */
export function commandCheck(name, title, args, { env, ownTool: tool, ...more } = {}) {
  return {
    name,
    title,
    ...more,
    run: async () => {
      const [script = '', ...rest] = args;
      const path = tool === undefined ? script : join(await ownTool(tool), script);
      const { ok, output } = await runNode([path, ...rest], { output: 'collect', ...(env && { env }) });
      if (ok) return passedOnce;
      console.error(output.trimEnd());
      return failedOnce;
    },
  };
}

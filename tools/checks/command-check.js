import { join } from 'node:path';
import { ownTool } from '../workspace/own-tool.js';
import { runNode } from '../workspace/run.js';
import { failedOnce, passedOnce } from './outcome.js';

/**
 * A check that is one command: it passes or fails as a whole, and shows its output only where it fails.
 * @param {string} name
 * @param {string} title
 * @param {readonly string[]} args of Node.
 * @param {Partial<import('./outcome.js').Check> & { env?: Record<string, string>, ownTool?: string }} [options] what else the
 * check is; `ownTool` names the tool that it alone needs, and that the script is a part of.
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

import { join } from 'node:path';
import { ownTool } from '../workspace/own-tool.ts';
import { runNode } from '../workspace/run.ts';
import { failedOnce, passedOnce, type Check } from './outcome.ts';

interface CommandOptions extends Partial<Check> {
  env?: Record<string, string>;
  /** Name of the script's tool, if the tool has a separate lock file. */
  ownTool?: string;
}

/**
 * A check that runs one command: it passes or fails as a whole, and prints its output only after a failure.
 * @param args arguments of Node.
 */
export function commandCheck(
  name: string,
  title: string,
  args: readonly string[],
  options: CommandOptions = {},
): Check {
  const { env, ownTool: tool, ...more } = options;
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

import { join } from 'node:path';

import { run, runNode } from '@items/tools/workspace/run.ts';

/** Returns options with which Nx uses the copy as its workspace, even if Nx started this process. */
function optionsIn(root: string, env: Record<string, string>): NonNullable<Parameters<typeof run>[2]> {
  const nx = {
    NX_DAEMON: 'false',
    NX_ISOLATE_PLUGINS: 'false',
    NX_SKIP_NX_CACHE: 'true',
    NX_WORKSPACE_ROOT_PATH: root,
    // If CI is set, Nx would print colours even without a terminal.
    NO_COLOR: '1',
    NX_CACHE_DIRECTORY: join(root, '.nx/cache'),
  };
  return { cwd: root, output: 'collect', env: { ...nx, ...env } };
}

/**
 * Runs a script of Node in a copy of the workspace.
 * @param root of the copy.
 * @throws {Error} if it fails. The message contains its output.
 */
export async function runInCopy(
  root: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<void> {
  const { ok, output } = await runNode(args, optionsIn(root, env));
  if (!ok) throw new Error(`${args.join(' ')} has failed in a copy of the workspace:\n${output.trimEnd()}`);
}

/**
 * Returns the output of a command line, regardless of its exit status, without npm's warnings about the configuration
 * of this machine.
 */
export async function printedInCopy(root: string, line: string, env: Record<string, string> = {}): Promise<string> {
  const { output } = await run('bash', ['-c', line], optionsIn(root, { npm_config_loglevel: 'error', ...env }));
  return output.replaceAll('\r', '').trim();
}

import { join } from 'node:path';
import { run, runNode } from '../../workspace/run.ts';

/**
 * Nx must use the copy as its workspace, whatever process started it.
 * @param {string} root
 * @param {Record<string, string>} [env]
 */
function optionsIn(root, env = {}) {
  const nx = {
    NX_DAEMON: 'false',
    NX_ISOLATE_PLUGINS: 'false',
    NX_SKIP_NX_CACHE: 'true',
    NX_WORKSPACE_ROOT_PATH: root,
    // If CI is set, Nx would print colours even without a terminal.
    NO_COLOR: '1',
  };
  const cacheFolders = { NX_CACHE_DIRECTORY: join(root, '.nx/cache') };
  return { cwd: root, output: /** @type {const} */ ('collect'), env: { ...nx, ...cacheFolders, ...env } };
}

/**
 * Runs a script of Node in a copy of the workspace.
 * @param {string} root of the copy.
 * @param {readonly string[]} args
 * @param {Record<string, string>} [env]
 * @throws {Error} if it fails. The message contains its output.
 */
export async function runInCopy(root, args, env) {
  const { ok, output } = await runNode(args, optionsIn(root, env));
  if (!ok) throw new Error(`${args.join(' ')} has failed in a copy of the workspace:\n${output.trimEnd()}`);
}

/**
 * Returns the output of a command line, regardless of its exit status, without npm's warnings about the configuration
 * of this machine.
 * @param {string} root
 * @param {string} line for bash.
 * @param {Record<string, string>} [env]
 */
export async function printedInCopy(root, line, env) {
  const { output } = await run('bash', ['-c', line], optionsIn(root, { npm_config_loglevel: 'error', ...env }));
  return output.replaceAll('\r', '').trim();
}

import { spawn } from 'node:child_process';
import { workspaceRoot } from './root.js';

/**
 * Runs a command in the workspace's folder and waits until it ends.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string>, output?: 'inherit' | 'collect', cwd?: string, limitMs?: number }} [options]
 * `collect` returns the output instead of showing it; `limitMs` is the timeout.
 * @returns {Promise<{ ok: boolean, output: string }>} `ok` is also false if the command could not be started.
 */
export function run(command, args, { env = {}, output = 'inherit', cwd = workspaceRoot, limitMs } = {}) {
  /** @type {import('node:child_process').StdioOptions} */
  const stdio = output === 'inherit' ? 'inherit' : ['ignore', 'pipe', 'pipe'];
  return new Promise((resolve) => {
    let text = '';
    // Ctrl-C interrupts the child too. This process waits for it, so that no process remains.
    let interrupted = false;
    const interrupt = () => void (interrupted = true);
    const terminate = () => void (interrupt(), child.kill('SIGTERM'));
    process.on('SIGINT', interrupt).on('SIGTERM', terminate);
    const limit = limitMs === undefined ? {} : { timeout: limitMs, killSignal: /** @type {const} */ ('SIGKILL') };
    const child = spawn(command, args, { cwd, stdio, ...limit, env: { ...process.env, ...env } });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (/** @type {string} */ chunk) => (text += chunk));
    }
    child.once('error', (error) => resolve({ ok: false, output: `${text}${error.message}\n` }));
    child.once('close', (code, signal) => {
      process.off('SIGINT', interrupt).off('SIGTERM', terminate);
      if (interrupted) process.exit(130);
      if (signal !== null)
        console.error(`${command} was ended by ${signal}${limitMs ? ` (it may take ${limitMs} ms)` : ''}.`);
      resolve({ ok: code === 0, output: text });
    });
  });
}

/**
 * Runs a script with the current Node.
 * @param {readonly string[]} args
 * @param {Parameters<typeof run>[2]} [options]
 */
export function runNode(args, options) {
  return run(process.execPath, args, options);
}

/**
 * Runs npm: the one that started this process, if any.
 * @param {readonly string[]} args
 * @param {Parameters<typeof run>[2]} [options]
 */
export function runNpm(args, options) {
  const cli = process.env.npm_execpath;
  return cli?.endsWith('.js') ? runNode([cli, ...args], options) : run('npm', args, options);
}

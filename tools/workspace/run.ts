import { spawn, type StdioOptions } from 'node:child_process';
import { workspaceRoot } from './root.ts';

export interface RunOptions {
  env?: Record<string, string>;
  /** `collect` returns the output without showing it. */
  output?: 'inherit' | 'collect';
  cwd?: string;
  limitMs?: number;
}

export interface Ran {
  /** False if the command failed or could not be started. */
  ok: boolean;
  output: string;
}

/** Runs a command in the workspace's folder and waits until it ends. */
export function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { env = {}, output = 'inherit', cwd = workspaceRoot, limitMs } = options;
  const stdio: StdioOptions = output === 'inherit' ? 'inherit' : ['ignore', 'pipe', 'pipe'];
  return new Promise((resolve) => {
    let text = '';
    // Ctrl-C interrupts the child too. Wait for the child, so that no process remains.
    let interrupted = false;
    const interrupt = () => void (interrupted = true);
    const terminate = () => void (interrupt(), child.kill('SIGTERM'));
    process.on('SIGINT', interrupt).on('SIGTERM', terminate);
    const limit = limitMs === undefined ? {} : { timeout: limitMs, killSignal: 'SIGKILL' as const };
    const child = spawn(command, args, { cwd, stdio, ...limit, env: { ...process.env, ...env } });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    }
    child.once('error', (error) => resolve({ ok: false, output: `${text}${error.message}\n` }));
    child.once('close', (code, signal) => {
      process.off('SIGINT', interrupt).off('SIGTERM', terminate);
      if (interrupted) process.exit(130);
      if (signal !== null)
        console.error(`${command} was ended by ${signal}${limitMs ? ` (time limit: ${limitMs} ms)` : ''}.`);
      resolve({ ok: code === 0, output: text });
    });
  });
}

export function runNode(args: readonly string[], options?: RunOptions) {
  return run(process.execPath, args, options);
}

/** Runs the npm that started this process, or else the installed npm. */
export function runNpm(args: readonly string[], options?: RunOptions) {
  const cli = process.env.npm_execpath;
  return cli?.endsWith('.js') ? runNode([cli, ...args], options) : run('npm', args, options);
}

/**
 * Prints a step's name, and a line every ten seconds. At the end, prints the duration, and the output if the step
 * failed.
 */
export async function step(what: string, work: () => Promise<Ran>): Promise<Ran> {
  const started = performance.now();
  const seconds = () => ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${what} …`);
  const telling = setInterval(() => console.log(`  still running after ${seconds()} s`), 10_000);
  const result = await work();
  clearInterval(telling);
  if (!result.ok && result.output !== '') console.error(result.output.trimEnd());
  console.log(result.ok ? `  done in ${seconds()} s` : `  failed after ${seconds()} s`);
  return result;
}

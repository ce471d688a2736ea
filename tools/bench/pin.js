import { execFileSync, spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Which core is whose: the server's is its own, so that the load does not push it about. */
const cores = { server: '0', load: '1' };

/** Whether processes are given cores of their own: with util-linux's `taskset`, where there are two. */
export const isPinned = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0;

/**
 * Gives all threads of a process, and those it will start, their core.
 * @param {number | undefined} pid
 * @param {keyof typeof cores} part
 */
export function pin(pid, part) {
  if (!isPinned || pid === undefined) return;
  execFileSync('taskset', ['-acp', cores[part], String(pid)], { stdio: 'ignore' });
}

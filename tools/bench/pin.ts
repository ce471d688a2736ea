import { execFileSync, spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Core numbers: server and load generator get different cores, so that they do not compete for CPU time. */
const cores = { server: '0', load: '1' };

/** True if processes can have their own cores: needs `taskset` of util-linux and at least two cores. */
export const isPinned = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0;

/** Binds all current and future threads of a process to a core. */
export function pin(pid: number | undefined, part: keyof typeof cores) {
  if (!isPinned || pid === undefined) return;
  execFileSync('taskset', ['-acp', cores[part], String(pid)], { stdio: 'ignore' });
}

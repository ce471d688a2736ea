import type { ChildProcess } from 'node:child_process';

/** Ends a program with this process, and removes its listeners from `process` once it has ended. */
export function endAtExit(child: ChildProcess, signal: NodeJS.Signals): void {
  const end = (): void => {
    child.kill(signal);
  };
  process.once('exit', end);
  child.once('exit', () => {
    process.off('exit', end);
  });
}

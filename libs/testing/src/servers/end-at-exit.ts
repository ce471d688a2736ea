import type { ChildProcess } from 'node:child_process';

/** Ends a program when this process exits. Removes the listener once the program has ended. */
export function endAtExit(child: ChildProcess, signal: NodeJS.Signals): void {
  const end = (): void => {
    child.kill(signal);
  };
  process.once('exit', end);
  child.once('exit', () => {
    process.off('exit', end);
  });
}

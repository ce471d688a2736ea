import { OperationError, UsageError } from './session/operation-error.js';
import type { OperationContext, Operations } from './operation.js';
import { printable } from './session/printable.js';
import { type ProgressOutput, progressOn } from './session/progress.js';
import { isCallForHelp, runOperation, usageOf } from './run-operation.js';

export interface ProgramOutput {
  readonly stdout: ProgressOutput;
  readonly stderr: ProgressOutput;
}

/**
 * @param args without the program's name.
 * @returns the exit status: as set, or 1 for a failure, 2 for wrong usage, 3 for a warning.
 */
export async function runProgram(
  operations: Operations,
  args: readonly string[],
  { stdout, stderr }: ProgramOutput,
  open: (hearers: Pick<OperationContext, 'tell' | 'warn' | 'progress' | 'exitWith'>) => OperationContext,
): Promise<number> {
  let status = 0;
  const hearers = {
    exitWith: (set: number) => void (status = set),
    progress: progressOn(stderr),
    tell: (line: string) => void stderr.write(`${printable(line, args)}\n`),
    warn: (line: string) => {
      status = 3;
      hearers.tell(line);
    },
  };
  try {
    const said = isCallForHelp(args) ? usageOf(operations) : await runOperation(operations, args, () => open(hearers));
    if (said !== '') stdout.write(`${printable(said, args)}\n`);
    return status;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    hearers.tell(error.message);
    return error instanceof UsageError ? 2 : 1;
  }
}

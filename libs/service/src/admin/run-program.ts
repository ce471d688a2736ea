import { OperationError, UsageError } from './session/operation-error.js';
import type { OperationContext, Operations } from './operation.js';
import { printable } from './session/printable.js';
import { type ProgressOutput, progressOn } from './session/progress.js';
import { isCallForHelp, runOperation, usageOf } from './run-operation.js';

/** Where a program says what. */
export interface ProgramOutput {
  /** What was done. */
  readonly stdout: ProgressOutput;
  /** How far it has come, and what it could not do. */
  readonly stderr: ProgressOutput;
}

/**
 * A program of operations: says what there is, or runs one.
 * @param args its own, without the program.
 * @param open is given what hears how far an operation has come.
 * @returns the status with which the process is to end: 2 where it was called wrongly, 1 where it did not do its work.
 */
export async function runProgram(
  operations: Operations,
  args: readonly string[],
  { stdout, stderr }: ProgramOutput,
  open: (hearers: Pick<OperationContext, 'tell' | 'progress'>) => OperationContext,
): Promise<0 | 1 | 2> {
  const hearers = {
    progress: progressOn(stderr),
    tell: (line: string) => void stderr.write(`${printable(line, args)}\n`),
  };
  try {
    const said = isCallForHelp(args) ? usageOf(operations) : await runOperation(operations, args, () => open(hearers));
    if (said !== '') stdout.write(`${printable(said, args)}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    hearers.tell(error.message);
    return error instanceof UsageError ? 2 : 1;
  }
}

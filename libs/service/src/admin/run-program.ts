import { OperationError, UsageError, asOperationError } from './session/operation-error.js';
import type { OperationContext, Operations } from './operation.js';
import { printable } from './session/printable.js';
import { type ProgressOutput, progressOn } from './session/progress.js';

export interface ProgramOutput {
  readonly stdout: ProgressOutput;
  readonly stderr: ProgressOutput;
}

/**
 * @param args without the program's name.
 * @returns the exit status: that of `exitWith()`, or 1 for a failure, 2 for wrong usage, 3 for a warning.
 */
export async function runProgram(
  operations: Operations,
  args: readonly string[],
  { stdout, stderr }: ProgramOutput,
  open: (terminal: Pick<OperationContext, 'print' | 'warn' | 'progress' | 'exitWith'>) => OperationContext,
): Promise<number> {
  let status = 0;
  const terminal = {
    exitWith: (set: number) => void (status = set),
    progress: progressOn(stderr),
    print: (line: string) => void stderr.write(`${printable(line, args)}\n`),
    warn: (line: string) => {
      status = 3;
      terminal.print(line);
    },
  };
  try {
    const said = HELP.includes(args[0] ?? 'help')
      ? usageOf(operations)
      : await runOperation(operations, args, () => open(terminal));
    if (said !== '') stdout.write(`${printable(said, args)}\n`);
    return status;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    terminal.print(error.message);
    return error instanceof UsageError ? 2 : 1;
  }
}

const COMMAND = 'npm run admin --';
const HELP = ['help', '--help', '-h'];

function usageOf(operations: Operations): string {
  const calls = Object.entries(operations).map(([name, { args, purpose }]) => ({ call: `${name} ${args}`, purpose }));
  const width = Math.max(...calls.map(({ call }) => call.length));
  const lines = calls.map(({ call, purpose }) => `  ${call.padEnd(width)}  ${purpose}`);
  return [`Usage: ${COMMAND} <command>, where <command> is one of`, ...lines].join('\n');
}

/**
 * @param open called only if the operation exists.
 * @throws {UsageError} unknown operation or wrong arguments.
 * @throws {OperationError} a message for the operator.
 */
export async function runOperation(
  operations: Operations,
  [name = '', ...args]: readonly string[],
  open: () => OperationContext,
): Promise<string> {
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (operation === undefined) {
    throw new UsageError(`There is no command "${name}": "${COMMAND} help" lists the commands.`);
  }
  try {
    const done = operation.run(open(), args);
    if (done === undefined) throw new UsageError(`Usage: ${COMMAND} ${name} ${operation.args}`);
    return await done;
  } catch (error) {
    throw asOperationError(error, operation.failure);
  }
}

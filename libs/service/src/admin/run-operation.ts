import { asOperationError, UsageError } from './session/operation-error.js';
import type { OperationContext, Operations } from './operation.js';

const COMMAND = 'npm run admin --';
const HELP = ['help', '--help', '-h'];

export function usageOf(operations: Operations): string {
  const calls = Object.entries(operations).map(([name, { args, purpose }]) => ({ call: `${name} ${args}`, purpose }));
  const width = Math.max(...calls.map(({ call }) => call.length));
  const lines = calls.map(({ call, purpose }) => `  ${call.padEnd(width)}  ${purpose}`);
  return [`Usage: ${COMMAND} <command>, where <command> is one of`, ...lines].join('\n');
}

export function isCallForHelp([name]: readonly string[]): boolean {
  return name === undefined || HELP.includes(name);
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
    throw new UsageError(`There is no command "${name}": "${COMMAND} help" lists those that there are.`);
  }
  try {
    const done = operation.run(open(), args);
    if (done === undefined) throw new UsageError(`Usage: ${COMMAND} ${name} ${operation.args}`);
    return await done;
  } catch (error) {
    throw asOperationError(error, operation.failure);
  }
}

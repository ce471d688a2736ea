import type { DatabaseConfig, DatabaseSchema } from '@items/store';

import { backUp } from './backup/backup.js';
import { copy } from './copy/copy.js';
import { switchMaintenance } from './maintenance.js';
import { asOperationError, OperationError } from './operation-error.js';
import { restore } from './restore/restore.js';

/** What an operation works on, and with. */
export interface OperationContext {
  readonly database: DatabaseConfig;
  readonly schema: DatabaseSchema;
  /** Hears how far it has come. */
  readonly tell: (line: string) => void;
}

interface Operation {
  /** What stands behind its name, for the usage. */
  readonly args: string;
  readonly purpose: string;
  /** What it could not do, where it fails. */
  readonly failure: string;
  /** Undefined where these are not its arguments. */
  readonly run: (context: OperationContext, args: readonly string[]) => Promise<string> | undefined;
}

const operations: Readonly<Record<string, Operation>> = {
  maintenance: {
    args: 'on <seconds> | off',
    purpose: 'has all instances answer 503, or no longer',
    failure: 'Maintenance was not switched',
    run: switchMaintenance,
  },
  backup: {
    args: '<file>',
    purpose: 'writes all data to a new file, while the service runs',
    failure: 'The backup was not made',
    run: ({ database }, [file, ...more]) =>
      file === undefined || more.length > 0 ? undefined : backUp(database, file),
  },
  restore: {
    args: '<file>',
    purpose: 'puts a backup in the place of all data; stop the service first',
    failure: 'The backup was not restored, and the database is as it was',
    run: ({ database, schema }, [file, ...more]) =>
      file === undefined || more.length > 0 ? undefined : restore(database, schema, file),
  },
  copy: {
    args: '--to <postgres://…>',
    purpose: 'copies all data from SQLite to PostgreSQL; stop the service first',
    failure: 'The copy is not complete; the same command goes on with it',
    run: ({ database, schema, tell }, [option, url, ...more]) =>
      option !== '--to' || url === undefined || more.length > 0 ? undefined : copy(database, schema, url, tell),
  },
};

/** A line for each operation, as it is called. */
export function operationsUsage(command: string): string {
  return Object.entries(operations)
    .map(([name, { args, purpose }]) => `  ${`${command} ${name} ${args}`.padEnd(44)} ${purpose}`)
    .join('\n');
}

/** Whether there is an operation of this name. */
export function isOperation(name: string): boolean {
  return Object.hasOwn(operations, name);
}

/**
 * Runs one operation.
 * @returns a sentence that says what was done.
 * @throws {OperationError} a sentence for the operator.
 */
export async function runOperation(name: string, args: readonly string[], context: OperationContext): Promise<string> {
  const operation = operations[name];
  if (operation === undefined) throw new OperationError(`There is no operation ${name}.`);
  try {
    const done = operation.run(context, args);
    if (done === undefined) throw new OperationError(`Usage: npm run admin -- ${name} ${operation.args}`);
    return await done;
  } catch (error) {
    throw asOperationError(error, operation.failure);
  }
}

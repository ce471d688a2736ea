import type { Database } from '../../data/database/database.js';
import { openDatabase } from '../../data/opening/open-database.js';

import type { Operation, OperationContext } from '../operation.js';
import { readPassword } from './read-password.js';

const GENERATE = '--generate';

export const PASSWORD_ARGS = `<username> [${GENERATE}]`;

/** The password is prompted for, read from standard input, or generated and printed. */
export function withPassword(
  work: (context: OperationContext, database: Database, username: string, password: string) => Promise<string>,
): Operation['run'] {
  const run = async (context: OperationContext, username: string, generate: boolean): Promise<string> => {
    const { stdin: input, stderr: output } = process;
    const { password, generated } = await readPassword({ input, output, generate });
    const database = await openDatabase(context.database, context.schema);
    try {
      const done = await work(context, database, username, password);
      return generated ? `${done}\nPassword (shown only this once): ${password}` : done;
    } finally {
      await database.close();
    }
  };
  return (context, args) => {
    const [username, ...rest] = args.filter((arg) => arg !== GENERATE);
    if (username === undefined || rest.length > 0) return undefined;
    return run(context, username, args.includes(GENERATE));
  };
}

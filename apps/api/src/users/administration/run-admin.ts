import type { Config } from '../../config/config.js';
import { openDatabase } from '../../database/open-database.js';
import { AdminCommand, AdminCommandError, USAGE } from './admin-command.js';
import { readPassword } from './read-password.js';

/**
 * `npm run admin`: one command on the configured database, which is migrated first where it is older.
 * @param args as they were given, without the program.
 * @throws {AdminCommandError} a sentence for the operator.
 */
export async function runAdmin(args: readonly string[], config: Pick<Config, 'database'>): Promise<void> {
  const generate = args.includes('--generate');
  const [name = '', username, ...rest] = args.filter((arg) => arg !== '--generate');
  if (!(name === 'create' || name === 'reset-password') || username === undefined || rest.length > 0) {
    throw new AdminCommandError(USAGE);
  }
  const { stdin: input, stdout: output } = process;
  const { password, generated } = await readPassword({ input, output, generate });
  const database = await openDatabase(config.database);
  try {
    const command = new AdminCommand(database);
    const done = await (name === 'create'
      ? command.create(username, password)
      : command.resetPassword(username, password));
    output.write(`${done}\n`);
    if (generated) output.write(`Password (shown only this once): ${password}\n`);
  } finally {
    await database.close();
  }
}

import type { EventsOptions } from '@items/events';
import type { Database } from '@items/store';

import { AdminCommand, AdminCommandError, USAGE } from './admin-command.js';
import { readPassword } from './read-password.js';

/**
 * `npm run admin`: one command on the database.
 * @param args as they were given, without the program.
 * @param open opens the database, once the arguments and the password are there.
 * @param events of the service.
 * @throws {AdminCommandError} a sentence for the operator.
 */
export async function runAdmin(
  args: readonly string[],
  open: () => Promise<Database>,
  events: EventsOptions,
): Promise<void> {
  const generate = args.includes('--generate');
  const [name = '', username, ...rest] = args.filter((arg) => arg !== '--generate');
  if (!(name === 'create' || name === 'reset-password') || username === undefined || rest.length > 0) {
    throw new AdminCommandError(USAGE);
  }
  const { stdin: input, stdout: output } = process;
  const { password, generated } = await readPassword({ input, output, generate });
  const database = await open();
  try {
    const command = new AdminCommand(database, events);
    const done = await (name === 'create'
      ? command.create(username, password)
      : command.resetPassword(username, password));
    output.write(`${done}\n`);
    if (generated) output.write(`Password (shown only this once): ${password}\n`);
  } finally {
    await database.close();
  }
}

import { CollectionService } from '@items/collections';
import { CreateUserDto } from '@items/dtos';
import { Events, type EventsOptions } from '@items/events';
import { validate } from '@items/fields';
import { ApiError } from '@items/errors';
import { operationsUsage } from '@items/operations';
import { PasswordHasher } from '@items/passwords';
import { type Database, Idempotency, isUniqueViolation } from '@items/store';

import { addPassword, replacePassword } from '../passwords.js';
import { userCollection } from '../user.collection.js';

/** What goes wrong with a command, in one sentence for the operator. */
export class AdminCommandError extends Error {}

export const USAGE = `Usage:
  npm run admin -- create <username>           makes an enabled administrator
  npm run admin -- reset-password <username>   gives a user another password
${operationsUsage('npm run admin --')}

create and reset-password ask for the password, or read it from standard input; --generate makes one and prints it.`;

/** What the operator does to users directly in the database: someone must be the first administrator. */
export class AdminCommand {
  private readonly passwords = new PasswordHasher();

  /** @param events of the service: a new user is one. */
  constructor(
    private readonly database: Database,
    private readonly events: EventsOptions,
  ) {}

  /**
   * @returns a sentence that says what was done.
   * @throws {AdminCommandError}
   */
  async create(username: string, password: string): Promise<string> {
    const input = accepted(username, password);
    const hash = await this.passwords.hash(password);
    const policy = { seals: [], ttlMs: 0 };
    const events = new Events(this.database, policy, this.events);
    const recorder = events.recorderOf(userCollection);
    const users = new CollectionService(
      this.database,
      new Idempotency(this.database),
      policy,
      userCollection,
      recorder,
    );
    await events.begin();
    try {
      await this.database.transaction(async (tx) => {
        const { resource } = await users.insert(tx, input, { role: 'admin' });
        await addPassword(tx, resource.id, hash);
      });
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw new AdminCommandError(`There is a user "${username}" already; see reset-password.`);
    }
    return `The administrator "${username}" has been created.`;
  }

  /** What was issued under the former password ends within 5 s, also in a service that runs. @throws as {@link create} */
  async resetPassword(username: string, password: string): Promise<string> {
    accepted(username, password);
    const hash = await this.passwords.hash(password);
    await this.database.transaction(async (tx) => {
      const [user] = await tx.query<{ id: string }>('SELECT id FROM users WHERE username = $1', [username]);
      if (user === undefined) throw new AdminCommandError(`There is no user "${username}".`);
      await replacePassword(tx, user.id, hash);
    });
    return `The user "${username}" has a new password.`;
  }
}

function accepted(username: string, password: string): CreateUserDto {
  try {
    return validate(CreateUserDto, { username, password });
  } catch (error) {
    throw error instanceof ApiError ? new AdminCommandError(error.message) : error;
  }
}

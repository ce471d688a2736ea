import { CreateUserDto, validate } from '@items/dtos';
import { ApiError } from '@items/errors';

import { PasswordHasher } from '../../accounts/password-hasher.js';
import { CollectionService } from '../../collections/collection-service.js';
import type { Database } from '../../database/database.js';
import { isUniqueViolation } from '../../database/unique-violation.js';
import { Idempotency } from '../../idempotency/idempotency.js';
import { addPassword, replacePassword } from '../passwords.js';
import { userCollection } from '../user.collection.js';

/** What goes wrong with a command, in one sentence for the operator. */
export class AdminCommandError extends Error {}

export const USAGE = `Usage:
  npm run admin -- create <username>           makes an enabled administrator
  npm run admin -- reset-password <username>   gives a user another password

The password is asked for, or read from standard input, or made and printed with --generate; never an argument.`;

/** What the operator does to users directly in the database: someone must be the first administrator. */
export class AdminCommand {
  private readonly passwords = new PasswordHasher();

  constructor(private readonly database: Database) {}

  /**
   * @returns a sentence that says what was done.
   * @throws {AdminCommandError}
   */
  async create(username: string, password: string): Promise<string> {
    const input = accepted(username, password);
    const hash = await this.passwords.hash(password);
    const users = new CollectionService(
      this.database,
      new Idempotency(this.database),
      { macs: [], ttlMs: 0 },
      userCollection,
    );
    try {
      await this.database.transaction(async (tx) => {
        const { resource } = await users.insert(tx, { ...userCollection.accept(input), role: 'admin' });
        await addPassword(tx, resource.id, hash);
      });
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw new AdminCommandError(`There is a user "${username}" already; see reset-password.`);
    }
    return `The administrator "${username}" is there.`;
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
    return `The user "${username}" has another password.`;
  }
}

function accepted(username: string, password: string): CreateUserDto {
  try {
    return validate(CreateUserDto, { username, password });
  } catch (error) {
    throw error instanceof ApiError ? new AdminCommandError(error.message) : error;
  }
}

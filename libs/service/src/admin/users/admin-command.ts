import { addPassword, replacePassword } from '../../access/credentials/logins/passwords.js';
import type { EventsOptions } from '../../feed/events.js';
import { CreateUserDto } from '@items/dtos';
import { validate } from '@items/fields';
import { ApiError } from '@items/conventions';
import { openCollection } from '../transfer/transferable.js';
import { OperationError } from '../session/operation-error.js';
import { type OperationContext } from '../operation.js';
import { PasswordHasher } from '../../access/passwords/password-hasher.js';
import type { Database } from '../../data/database/database.js';
import { isUniqueViolation } from '../../data/database/error-codes.js';

import { transferableUsers } from './transferable-users.js';
import { PASSWORD_CHANGED, userCollection } from '../../access/users/user.collection.js';

/** Commands for users that work directly on the database, for example to create the first administrator. */
export class AdminCommand {
  private readonly passwords = new PasswordHasher();

  constructor(
    private readonly database: Database,
    private readonly events: EventsOptions,
    private readonly audit: OperationContext['audit'],
  ) {}

  async create(username: string, password: string): Promise<string> {
    const fields = Object.fromEntries<unknown>([...Object.entries(accepted(username, password)), ['role', 'admin']]);
    const hash = await this.passwords.hash(password);
    const insertAll = await transferableUsers(this.audit).open(this.database, this.events);
    try {
      const id = await this.database.transaction(async (tx) => {
        const [id = ''] = await insertAll(tx, [{ fields, past: {} }]);
        await addPassword(tx, id, hash);
        return id;
      });
      this.audit('user_created', id, { role: 'admin' });
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw new OperationError(`There is a user "${username}" already; see reset-password.`);
    }
    return `The administrator "${username}" has been created.`;
  }

  /** Tokens issued under the former password end within 5 s, even in a running service. @throws as {@link create} */
  async resetPassword(username: string, password: string): Promise<string> {
    accepted(username, password);
    const hash = await this.passwords.hash(password);
    const users = await openCollection(this.database, userCollection, this.events);
    const id = await users.transaction(async (tx) => {
      const [user] = await tx.query<{ id: string }>('SELECT id FROM users WHERE username = $1', [username]);
      if (user === undefined) throw new OperationError(`There is no user "${username}".`);
      await replacePassword(tx, user.id, hash);
      await users.note(tx, user.id, PASSWORD_CHANGED);
      return user.id;
    });
    this.audit('password_changed', id);
    return `The user "${username}" has a new password.`;
  }
}

function accepted(username: string, password: string): CreateUserDto {
  try {
    return validate(CreateUserDto, { username, password });
  } catch (error) {
    throw error instanceof ApiError ? new OperationError(error.message) : error;
  }
}

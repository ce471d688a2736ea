import { ApiError } from '@items/conventions';
import { CreateUserDto } from '@items/dtos';
import { validate } from '@items/fields';

import { addPassword, replacePassword } from '../../access/credentials/logins/passwords.js';
import { PasswordHasher } from '../../access/passwords/password-hasher.js';
import { PASSWORD_CHANGED, userCollection } from '../../access/users/user.collection.js';
import type { Database } from '../../data/database/database.js';
import { isUniqueViolation } from '../../data/database/error-codes.js';
import type { OperationContext } from '../operation.js';
import { OperationError } from '../session/operation-error.js';
import { openCollection } from '../import-export/transferable.js';
import { transferableUsers } from './transferable-users.js';

type Context = Pick<OperationContext, 'events' | 'audit'>;

/** Writes to the database, because there may be no administrator for the API yet. */
export async function createAdministrator(
  { events, audit }: Context,
  database: Database,
  username: string,
  password: string,
): Promise<string> {
  const fields = Object.fromEntries<unknown>([...Object.entries(accepted(username, password)), ['role', 'admin']]);
  const hash = await new PasswordHasher().hash(password);
  const insertAll = await transferableUsers(audit).open(database, events);
  try {
    const id = await database.transaction(async (tx) => {
      const [id = ''] = await insertAll(tx, [{ fields, past: {} }]);
      await addPassword(tx, id, hash);
      return id;
    });
    audit('user_created', id, { role: 'admin' });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new OperationError(`There is a user "${username}" already; see reset-password.`);
  }
  return `The administrator "${username}" has been created.`;
}

/** Tokens issued under the former password become invalid within 5 s, even in a running service. */
export async function resetPassword(
  { events, audit }: Context,
  database: Database,
  username: string,
  password: string,
): Promise<string> {
  accepted(username, password);
  const hash = await new PasswordHasher().hash(password);
  const users = await openCollection(database, userCollection, events);
  const id = await users.transaction(async (tx) => {
    const [user] = await tx.query<{ id: string }>('SELECT id FROM users WHERE username = $1', [username]);
    if (user === undefined) throw new OperationError(`There is no user "${username}".`);
    await replacePassword(tx, user.id, hash);
    await users.note(tx, user.id, PASSWORD_CHANGED);
    return user.id;
  });
  audit('password_changed', id);
  return `The user "${username}" has a new password.`;
}

function accepted(username: string, password: string): CreateUserDto {
  try {
    return validate(CreateUserDto, { username, password });
  } catch (error) {
    throw error instanceof ApiError ? new OperationError(error.message) : error;
  }
}

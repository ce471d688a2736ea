import type { PasswordChange, Role, User, UserInput } from '@items/dtos/contract';

import { emptyCall, type ApiCall } from '../calls/api-call.js';
import type { CallOptions } from '../client-options.js';
import { collection, type Collection } from './collection.js';
import type { Reach } from './reach.js';
import type { Beginning, Between, OneOrMore } from './list-query.js';

export interface UserFilters extends Beginning<'username'>, Between<'created_at', string> {
  readonly role?: OneOrMore<Role> | undefined;
  readonly disabled?: boolean | undefined;
}

/** `/users`. SPEC §2 */
export interface Users extends Collection<'users', User, UserInput, UserFilters> {
  /** Returns the user of the credential. @throws {NotFoundError} The credential belongs to no user. */
  me(options?: CallOptions): ApiCall<User>;
  /**
   * Changes the user's own password and ends the user's other sessions. Not repeated if the response is lost, because
   * the current password would be wrong the second time. Create a new client if this one logs in with the old password.
   */
  setPassword(change: PasswordChange, options?: CallOptions): ApiCall<void>;
}

export function users(reach: Reach): Users {
  const all = collection<'users', User, UserInput, UserFilters>(reach, 'users');
  return {
    ...all,
    me: (options) => all.get('me', options),
    setPassword: (input, options) => {
      const call = { method: 'PUT', path: 'users/me/password', input, isEmpty: true, repeat: 'refused' } as const;
      return emptyCall(async () => reach.transport({ ...options, ...call }));
    },
  };
}

import { NoOwnUserError, NotOwnerError } from '@items/errors';

import type { Principal } from './principal.js';

/**
 * The user that a path means: `me` is the credential's own.
 * @throws {NoOwnUserError} 404: the credential belongs to no user.
 * @throws {NotOwnerError} 403: another user, or an unknown one, and the caller is no administrator.
 * @see authentication.md "Scopes and roles"
 */
export function userOf(caller: Principal, id: string): string {
  if (id === 'me') {
    if (caller.userId === null) throw new NoOwnUserError();
    return caller.userId;
  }
  if (id !== caller.userId) requireAdmin(caller);
  return id;
}

/** @throws {NotOwnerError} 403 */
export function requireAdmin(caller: Principal): void {
  if (!caller.isAdmin) throw new NotOwnerError();
}

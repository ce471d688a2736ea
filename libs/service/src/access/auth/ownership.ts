import { NoOwnUserError, NotOwnerError } from '@items/conventions';

import type { Principal } from '../principal/principal.js';

/** The user in the path of a request. */
export class Owner {
  private constructor(
    private readonly userId: string | null,
    /** Whether the caller is this user. */
    readonly isCaller: boolean,
  ) {}

  /**
   * @param name from the path: an id, or `me` for the credential's own user.
   * @throws {NotOwnerError} 403: another user or an unknown one, and the caller is no administrator. SPEC §5.2
   */
  static named(name: string, caller: Principal): Owner {
    if (name === 'me' || name === caller.userId) return new Owner(caller.userId, true);
    requireAdmin(caller);
    return new Owner(name, false);
  }

  /**
   * Unvalidated text from the path if the caller is an administrator.
   * @throws {NoOwnUserError} 404: `me`, and the credential has no user. Read it after the body is validated. SPEC §1.3
   */
  get id(): string {
    if (this.userId === null) throw new NoOwnUserError();
    return this.userId;
  }
}

/** Returns the user of the credential. @throws {NoOwnUserError} 404: it has none. */
export function ownUserId(caller: Principal): string {
  return Owner.named('me', caller).id;
}

/** @throws {NotOwnerError} 403 */
export function requireAdmin(caller: Principal): void {
  if (!caller.isAdmin) throw new NotOwnerError();
}

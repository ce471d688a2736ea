import { NoOwnUserError, NotOwnerError } from '@items/conventions';

import type { Principal } from '../principal/principal.js';

/** The user whose resources a path names. */
export class Owner {
  private constructor(
    private readonly userId: string | null,
    /** Whether it is the caller. */
    readonly isCaller: boolean,
  ) {}

  /**
   * @param name as the path has it: an id, or `me` for the credential's own user.
   * @throws {NotOwnerError} 403: another user, or an unknown one, and the caller is no administrator. SPEC §5.2
   */
  static named(name: string, caller: Principal): Owner {
    if (name === 'me' || name === caller.userId) return new Owner(caller.userId, true);
    requireAdmin(caller);
    return new Owner(name, false);
  }

  /**
   * Anything that a path may hold, where an administrator asks.
   * @throws {NoOwnUserError} 404: `me`, and the credential belongs to no user; asked for after the body was judged. SPEC §1.3
   */
  get id(): string {
    if (this.userId === null) throw new NoOwnUserError();
    return this.userId;
  }
}

/** The credential's own user. @throws {NoOwnUserError} 404: it belongs to none. */
export function ownUserId(caller: Principal): string {
  return Owner.named('me', caller).id;
}

/** @throws {NotOwnerError} 403 */
export function requireAdmin(caller: Principal): void {
  if (!caller.isAdmin) throw new NotOwnerError();
}

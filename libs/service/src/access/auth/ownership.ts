import { NoOwnUserError, NotOwnerError } from '@items/conventions';
import type { Principal } from '../principal/principal.js';

export class Owner {
  private constructor(
    private readonly userId: string | null,
    readonly isCaller: boolean,
  ) {}

  /**
   * @param name From the path: an id, or `me` for the credential's own user.
   * @throws {NotOwnerError} 403: a caller without administrator rights named another user, known or unknown. SPEC §5.2
   */
  static named(name: string, caller: Principal): Owner {
    if (name === 'me' || name === caller.userId) return new Owner(caller.userId, true);
    requireAdmin(caller);
    return new Owner(name, false);
  }

  /**
   * Id of the user. For an administrator, unvalidated text from the path. Read `id` after validating the body, because
   * 422 takes precedence over 404. SPEC §1.3
   * @throws {NoOwnUserError} 404: the path contains `me`, but the credential has no user.
   */
  get id(): string {
    if (this.userId === null) throw new NoOwnUserError();
    return this.userId;
  }
}

export function ownUserId(caller: Principal): string {
  return Owner.named('me', caller).id;
}

export function requireAdmin(caller: Principal): void {
  if (!caller.isAdmin) throw new NotOwnerError();
}

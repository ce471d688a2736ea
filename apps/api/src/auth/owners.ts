import { ResourceNotFoundError } from '@items/errors';
import { Injectable } from '@nestjs/common';

import { Accounts } from '../accounts/accounts.js';
import type { Within } from '../collections/within.js';
import { isRowId } from '../database/row-id.js';
import { userOf } from './ownership.js';
import type { Principal } from './principal.js';

/** What a user may leave behind: a collection below `/users/{user_id}`. */
interface Kept {
  hasAny(within: Within): Promise<boolean>;
}

/** What belongs to a user. */
export type Owned = Within & { readonly user_id: string };

/** What is each user's own: the collections below `/users/{user_id}`. SPEC §2, authentication.md "Scopes and roles" */
@Injectable()
export class Owners {
  constructor(private readonly accounts: Accounts) {}

  /**
   * What belongs to a user, for who adds to it.
   * @param id as the path has it: `me` is the caller.
   * @throws {NotOwnerError} 403: somebody else's, and the caller is no administrator.
   * @throws {NoOwnUserError} 404: `me` without a user. @throws {ResourceNotFoundError} 404: there is no such user.
   */
  async owned(caller: Principal, id: string): Promise<Owned> {
    const userId = userOf(caller, id);
    if (!(await this.exists(caller, userId))) throw new ResourceNotFoundError('user');
    return { user_id: userId };
  }

  /** The same, for who reads or changes what is there: also what a deleted user has left. @throws as {@link owned} */
  async kept(caller: Principal, id: string, collection: Kept): Promise<Owned> {
    const within = { user_id: userOf(caller, id) };
    const { user_id: userId } = within;
    const isKnown = (await this.exists(caller, userId)) || (isRowId(userId) && (await collection.hasAny(within)));
    if (!isKnown) throw new ResourceNotFoundError('user');
    return within;
  }

  private async exists(caller: Principal, userId: string): Promise<boolean> {
    return userId === caller.userId || (await this.accounts.find(userId)) !== undefined;
  }
}

import type { Transaction } from '../../data/database/database.js';
import { Inject, Injectable } from '@nestjs/common';

import type { AccountChange } from '../accounts/account-listener.js';
import { Accounts } from '../accounts/accounts.js';
import { USERS_OPTIONS, type UsersOptions } from './users-options.js';

/** Notifies the other modules of changes of a user. */
@Injectable()
export class AccountChanges {
  constructor(
    private readonly accounts: Accounts,
    @Inject(USERS_OPTIONS) private readonly options: UsersOptions,
  ) {}

  /** A user is being deleted: what is theirs goes in the same transaction. */
  async deleting(tx: Transaction, userId: string): Promise<void> {
    for (const listener of this.options.listeners) await listener.onDeletion?.(tx, userId);
  }

  /** A user was changed or deleted: all that is remembered of them is forgotten. */
  async changed(userId: string, change: AccountChange): Promise<void> {
    this.accounts.forget(userId);
    for (const listener of this.options.listeners) await listener.onChange?.(userId, change);
  }
}

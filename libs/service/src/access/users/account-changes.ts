import type { Transaction } from '../../data/database/database.js';
import { Inject, Injectable } from '@nestjs/common';

import type { AccountChange } from '../accounts/account-listener.js';
import { Accounts } from '../accounts/accounts.js';
import { USERS_OPTIONS, type UsersOptions } from './users-options.js';

@Injectable()
export class AccountChanges {
  constructor(
    private readonly accounts: Accounts,
    @Inject(USERS_OPTIONS) private readonly options: UsersOptions,
  ) {}

  /** Runs in the transaction that deletes the user. */
  async deleting(tx: Transaction, userId: string): Promise<void> {
    for (const listener of this.options.listeners) await listener.onDeletion?.(tx, userId);
  }

  async changed(userId: string, change: AccountChange): Promise<void> {
    this.accounts.forget(userId);
    for (const listener of this.options.listeners) await listener.onChange?.(userId, change);
  }
}

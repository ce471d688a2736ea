import { ConfigurableModuleBuilder, Inject, Injectable } from '@nestjs/common';
import type { Transaction } from '../../data/database/database.js';
import type { AccountChange, AccountListener } from '../accounts/listeners.js';
import { Accounts } from '../accounts/accounts.js';

export interface UsersOptions {
  /** Called in this order on changes and deletions. */
  readonly listeners: readonly AccountListener[];
}

export const { ConfigurableModuleClass: ConfigurableUsersModule, MODULE_OPTIONS_TOKEN: USERS_OPTIONS } =
  new ConfigurableModuleBuilder<UsersOptions>({ moduleName: 'Users' }).setClassMethodName('forRoot').build();

@Injectable()
export class AccountChanges {
  constructor(
    private readonly accounts: Accounts,
    @Inject(USERS_OPTIONS) private readonly options: UsersOptions,
  ) {}

  async deleting(tx: Transaction, userId: string): Promise<void> {
    for (const listener of this.options.listeners) await listener.onDeletion?.(tx, userId);
  }

  async changed(userId: string, change: AccountChange): Promise<void> {
    this.accounts.forget(userId);
    for (const listener of this.options.listeners) await listener.onChange?.(userId, change);
  }
}

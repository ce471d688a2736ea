import { ConfigurableModuleBuilder } from '@nestjs/common';

import type { AccountListener } from '../accounts/account-listener.js';

export interface UsersOptions {
  /** Called in this order on changes and deletions. */
  readonly listeners: readonly AccountListener[];
}

export const { ConfigurableModuleClass: ConfigurableUsersModule, MODULE_OPTIONS_TOKEN: USERS_OPTIONS } =
  new ConfigurableModuleBuilder<UsersOptions>({ moduleName: 'Users' }).setClassMethodName('forRoot').build();

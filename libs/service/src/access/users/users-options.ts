import { ConfigurableModuleBuilder } from '@nestjs/common';

import type { AccountListener } from '../accounts/account-listener.js';

/** Who else has to do with users. */
export interface UsersOptions {
  /** Told, in this order, that a user is changed or deleted. */
  readonly listeners: readonly AccountListener[];
}

/** `forRoot` and `forRootAsync`, as Nest makes them. */
export const { ConfigurableModuleClass: ConfigurableUsersModule, MODULE_OPTIONS_TOKEN: USERS_OPTIONS } =
  new ConfigurableModuleBuilder<UsersOptions>({ moduleName: 'Users' }).setClassMethodName('forRoot').build();

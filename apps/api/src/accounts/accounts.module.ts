import { PasswordHasher } from '@items/passwords';
import { Module } from '@nestjs/common';

import { RedisModule } from '../throttling/redis.module.js';
import { Accounts } from './accounts.js';
import { LoginFailures } from './login-failures.js';

/** Who the users are, for all that issues or judges credentials. SPEC §5 */
@Module({
  imports: [RedisModule],
  providers: [Accounts, PasswordHasher, LoginFailures],
  exports: [Accounts, PasswordHasher],
})
export class AccountsModule {}

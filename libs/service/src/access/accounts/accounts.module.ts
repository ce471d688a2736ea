import { LoginFailures } from '../credentials/logins/login-failures.js';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { Module } from '@nestjs/common';

import { RedisModule } from '../throttling/redis.module.js';
import { Accounts } from './accounts.js';
import { Identities } from './identities.js';

/** Looks up the accounts of users, for all code that issues or validates credentials. SPEC §5 */
@Module({
  imports: [RedisModule],
  providers: [Accounts, Identities, PasswordHasher, LoginFailures],
  exports: [Accounts, Identities, LoginFailures, PasswordHasher],
})
export class AccountsModule {}

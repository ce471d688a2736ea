import { LoginFailures } from '../credentials/logins/login-failures.js';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { Module } from '@nestjs/common';
import { RedisModule } from '../throttling/throttling.module.js';
import { Accounts } from './accounts.js';
import { Identities } from './identities.js';

@Module({
  imports: [RedisModule],
  providers: [Accounts, Identities, PasswordHasher, LoginFailures],
  exports: [Accounts, Identities, LoginFailures, PasswordHasher],
})
export class AccountsModule {}

import { Module } from '@nestjs/common';

import { Accounts } from './accounts.js';
import { LoginFailures } from './login-failures.js';
import { PasswordHasher } from './password-hasher.js';

/** Who the users are, for all that issues or judges credentials. SPEC §5 */
@Module({ providers: [Accounts, PasswordHasher, LoginFailures], exports: [Accounts, PasswordHasher] })
export class AccountsModule {}

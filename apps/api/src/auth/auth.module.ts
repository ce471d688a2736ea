import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';

import { AccountsModule } from '../accounts/accounts.module.js';
import { ThrottlingModule } from '../throttling/throttling.module.js';
import { AccessGuard } from './access.guard.js';
import { AdminKey } from './admin-key.js';
import { Admission } from './admission.js';
import { ApiKeyAuthenticator } from './api-key/api-key-authenticator.js';
import { KeyOrigins } from './api-key/key-origins.js';
import { LastUses } from './api-key/last-uses.js';
import { BasicAuthenticator } from './basic/basic-authenticator.js';
import { BearerTokens } from './bearer/bearer-tokens.js';
import { ApiKeyStrategy } from './strategies/api-key.strategy.js';
import { BasicStrategy } from './strategies/basic.strategy.js';
import { BearerStrategy } from './strategies/bearer.strategy.js';
import { Strategies } from './strategies/strategies.js';

/** Who may do what: credentials, scopes, and the one guard of all routes. SPEC §5 */
@Module({
  imports: [ThrottlingModule, AccountsModule],
  providers: [
    AdminKey,
    ApiKeyAuthenticator,
    KeyOrigins,
    LastUses,
    ApiKeyStrategy,
    BasicAuthenticator,
    BasicStrategy,
    BearerTokens,
    BearerStrategy,
    Strategies,
    Admission,
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
  exports: [Admission, BearerTokens, ApiKeyAuthenticator, KeyOrigins, LastUses],
})
export class AuthModule {}

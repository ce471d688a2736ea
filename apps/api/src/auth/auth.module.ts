import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';

import { AccountsModule } from '../accounts/accounts.module.js';
import { ThrottlingModule } from '../throttling/throttling.module.js';
import { AccessGuard } from './access.guard.js';
import { Admission } from './admission.js';
import { ApiKeyAuthModule } from './api-key/api-key-auth.module.js';
import { ConfigurableAuthModule } from './auth-options.js';
import { BasicAuthenticator } from './basic/basic-authenticator.js';
import { BearerTokens } from './bearer/bearer-tokens.js';
import { EdgeAdmission } from './edge-admission.js';
import { StandingAccess } from './standing-access.js';
import { ApiKeyStrategy } from './strategies/api-key.strategy.js';
import { BasicStrategy } from './strategies/basic.strategy.js';
import { BearerStrategy } from './strategies/bearer.strategy.js';
import { Strategies } from './strategies/strategies.js';

/** Who may do what: credentials, scopes, and the one guard of all routes. SPEC §5 */
@Module({
  imports: [ThrottlingModule, AccountsModule, ApiKeyAuthModule],
  providers: [
    ApiKeyStrategy,
    BasicAuthenticator,
    BasicStrategy,
    BearerTokens,
    BearerStrategy,
    Strategies,
    Admission,
    EdgeAdmission,
    StandingAccess,
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
  exports: [EdgeAdmission, StandingAccess],
})
export class AuthModule extends ConfigurableAuthModule {}

import { type DynamicModule, Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ThrottlingModule } from '../throttling/throttling.module.js';
import { AuthorizationController } from './authorization.controller.js';
import { ClientEndpointsController } from './client-endpoints.controller.js';
import { ClientsController } from './clients/clients.controller.js';
import { GrantsController } from './grants/grants.controller.js';
import { InteractionsController } from './interactions.controller.js';
import { IdentityLoginController } from './login/identity-login.controller.js';
import { IdentityLogins } from './login/identity-logins.js';
import { LogoutController } from './logout.controller.js';
import { MetadataController } from './metadata.controller.js';
import { OauthModule } from './oauth.module.js';
import { LoginController, SessionsController } from './sessions/sessions.controller.js';

/** Lists and withdraws approvals, even if the service accepts no tokens. */
@Module({ imports: [AccountsModule, OauthModule], controllers: [GrantsController] })
export class GrantRoutesModule {}

@Module({
  imports: [AccountsModule, OauthModule, ThrottlingModule],
  controllers: [ClientsController, SessionsController],
  providers: [
    AuthorizationController,
    ClientEndpointsController,
    InteractionsController,
    LoginController,
    LogoutController,
    MetadataController,
  ],
})
export class OauthRoutesModule {}

/** Login through the organisation's identity provider (`OIDC_LOGIN`). SPEC §5.5 */
@Module({})
export class IdentityLoginModule {
  static with(users: DynamicModule): DynamicModule {
    return {
      module: IdentityLoginModule,
      imports: [OauthModule, users],
      providers: [IdentityLoginController, IdentityLogins],
    };
  }
}

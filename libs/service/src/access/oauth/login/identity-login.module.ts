import { Artifacts } from '../../credentials/tokens/artifacts.js';
import { type DynamicModule, Module } from '@nestjs/common';

import { OauthModule } from '../oauth.module.js';
import { IdentityLoginController } from './identity-login.controller.js';
import { IdentityLogins } from './identity-logins.js';

/** Login through the organisation's identity provider (`OIDC_LOGIN`). SPEC §5.5 */
@Module({})
export class IdentityLoginModule {
  static with(users: DynamicModule): DynamicModule {
    return {
      module: IdentityLoginModule,
      imports: [OauthModule, users],
      providers: [Artifacts, IdentityLoginController, IdentityLogins],
    };
  }
}

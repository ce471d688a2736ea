import { AccessTokenCache } from '../credentials/tokens/access-token-cache.js';
import { Artifacts } from '../credentials/tokens/artifacts.js';
import { OauthAudit } from '../credentials/oauth/oauth-audit.js';
import { SERVER_KEYS, serverKeys } from '../credentials/oauth/server-keys.js';
import { TokenWrites } from '../credentials/tokens/token-writes.js';
import { ConventionsModule } from '../../http/nest/conventions.module.js';
import { inBackground } from '../../http/nest/in-background.js';
import { Database } from '../../data/database/database.js';
import { Module, type Provider } from '@nestjs/common';
import { ApiKeyRowsModule } from '../api-keys/api-keys.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ApiKeyAuthModule } from '../auth/api-key/api-key-auth.module.js';
import { ThrottlingModule } from '../throttling/throttling.module.js';
import { AccessTokenUseWriter, SessionUseWriter } from './bearer/use-writers.js';
import { BearerAuthenticator } from './bearer/bearer-authenticator.js';
import { OutsideAuthenticator, outsideTokens } from './bearer/outside-authenticator.js';
import { clientCollection } from './clients/client.collection.js';
import { ClientRegistry } from './clients/client-registry.js';
import { ClientsService } from './clients/clients.service.js';
import { grantCollection } from './authorizations/grant.collection.js';
import { GrantsService } from './grants/grants.service.js';
import { FinishedLogins } from './login/finished-logins.js';
import { IdentityProvider } from './login/identity-provider.js';
import { Interactions } from './interactions/interactions.js';
import { AdapterParts } from './provider/adapter-parts.js';
import { EndpointClients } from './provider/endpoint-clients.js';
import { OauthProvider } from './provider/oauth-provider.js';
import { sessionCollection } from './authorizations/session.collection.js';
import { SessionsService } from './sessions/sessions.service.js';
import { Authorizations } from './authorizations/authorizations.js';
import { ExpiredArtifacts } from './authorizations/expired-artifacts.js';

const providers: Provider[] = [
  AccessTokenCache,
  AccessTokenUseWriter,
  AdapterParts,
  Artifacts,
  Authorizations,
  BearerAuthenticator,
  ClientRegistry,
  ClientsService,
  EndpointClients,
  ExpiredArtifacts,
  FinishedLogins,
  GrantsService,
  IdentityProvider,
  Interactions,
  OauthAudit,
  OauthProvider,
  OutsideAuthenticator,
  outsideTokens,
  { provide: SERVER_KEYS, inject: [Database], useFactory: serverKeys },
  SessionsService,
  SessionUseWriter,
  TokenWrites,
];

@Module({
  imports: [
    AccountsModule,
    ThrottlingModule,
    ApiKeyAuthModule,
    ApiKeyRowsModule,
    ConventionsModule.forFeature(clientCollection),
    ConventionsModule.forFeature(sessionCollection),
    ConventionsModule.forFeature(grantCollection),
  ],
  providers: [...providers, ...[AccessTokenUseWriter, ExpiredArtifacts, SessionUseWriter].map(inBackground)],
  exports: providers,
})
export class OauthModule {}

import { ConventionsModule, inBackground } from '@items/nest';
import { Database } from '@items/store';
import { Module } from '@nestjs/common';

import { AccountsModule } from '../accounts/accounts.module.js';
import { ThrottlingModule } from '../throttling/throttling.module.js';
import { WebhookRowsModule } from '../webhooks/webhook-rows.module.js';
import { AuthorizationController } from './authorization.controller.js';
import { BearerAuthenticator } from './bearer/bearer-authenticator.js';
import { ClientEndpointsController } from './client-endpoints.controller.js';
import { clientCollection } from './clients/client.collection.js';
import { ClientRegistry } from './clients/client-registry.js';
import { ClientsController } from './clients/clients.controller.js';
import { ClientsService } from './clients/clients.service.js';
import { Approvals } from './grants/approvals.js';
import { grantCollection } from './authorizations/grant.collection.js';
import { GrantsController } from './grants/grants.controller.js';
import { GrantsService } from './grants/grants.service.js';
import { InteractionsController } from './interactions.controller.js';
import { outsideTokens } from './outside-tokens.js';
import { MetadataController } from './metadata.controller.js';
import { Interactions } from './interactions/interactions.js';
import { AdapterParts } from './provider/adapter-parts.js';
import { EndpointClients } from './provider/endpoint-clients.js';
import { OauthAudit } from './provider/oauth-audit.js';
import { OauthProvider } from './provider/oauth-provider.js';
import { SERVER_KEYS, serverKeys } from './provider/server-keys.js';
import { sessionCollection } from './authorizations/session.collection.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SessionsService } from './sessions/sessions.service.js';
import { Artifacts } from './tokens/artifacts.js';
import { Authorizations } from './authorizations/authorizations.js';
import { ExpiredArtifacts } from './authorizations/expired-artifacts.js';
import { AccessTokenCache } from './tokens/access-token-cache.js';
import { TokenWrites } from './tokens/token-writes.js';
import { UserAuthorizations } from './authorizations/user-authorizations.js';

/** Bearer tokens: from a login, by OAuth 2.0, and from issuers outside. SPEC §5 */
@Module({
  imports: [
    AccountsModule,
    ThrottlingModule,
    WebhookRowsModule,
    ConventionsModule.forFeature(clientCollection),
    ConventionsModule.forFeature(sessionCollection),
    ConventionsModule.forFeature(grantCollection),
  ],
  controllers: [
    AuthorizationController,
    ClientEndpointsController,
    ClientsController,
    GrantsController,
    InteractionsController,
    MetadataController,
    SessionsController,
  ],
  providers: [
    AdapterParts,
    Approvals,
    Artifacts,
    Authorizations,
    BearerAuthenticator,
    ClientRegistry,
    ClientsService,
    EndpointClients,
    ExpiredArtifacts,
    inBackground(ExpiredArtifacts),
    GrantsService,
    Interactions,
    AccessTokenCache,
    OauthAudit,
    OauthProvider,
    { provide: SERVER_KEYS, inject: [Database], useFactory: serverKeys },
    outsideTokens,
    SessionsService,
    TokenWrites,
    UserAuthorizations,
  ],
  exports: [AccessTokenCache, BearerAuthenticator, ClientRegistry, outsideTokens, UserAuthorizations],
})
export class OauthModule {}

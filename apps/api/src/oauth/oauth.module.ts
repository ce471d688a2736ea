import { Module } from '@nestjs/common';

import { AccountsModule } from '../accounts/accounts.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { CollectionsModule } from '../collections/collections.module.js';
import { AuthorizationController } from './authorization.controller.js';
import { BearerAuthenticator } from './bearer/bearer-authenticator.js';
import { ClientEndpointsController } from './client-endpoints.controller.js';
import { clientCollection } from './clients/client.collection.js';
import { ClientRegistry } from './clients/client-registry.js';
import { ClientsController } from './clients/clients.controller.js';
import { ClientsService } from './clients/clients.service.js';
import { Approvals } from './grants/approvals.js';
import { grantCollection } from './grants/grant.collection.js';
import { GrantsController } from './grants/grants.controller.js';
import { GrantsService } from './grants/grants.service.js';
import { InteractionsController } from './interactions.controller.js';
import { OutsideTokens } from './issuers/outside-tokens.js';
import { MetadataController } from './metadata.controller.js';
import { Interactions } from './pages/interactions.js';
import { EndpointClients } from './provider/endpoint-clients.js';
import { OauthAudit } from './provider/oauth-audit.js';
import { OauthProvider } from './provider/oauth-provider.js';
import { sessionCollection } from './sessions/session.collection.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SessionsService } from './sessions/sessions.service.js';
import { Artifacts } from './tokens/artifacts.js';
import { Authorizations } from './tokens/authorizations.js';
import { ExpiredArtifacts } from './tokens/expired-artifacts.js';
import { UserChanges } from './tokens/user-changes.js';

/** Bearer tokens: from a login, by OAuth 2.0, and from issuers outside. SPEC §5 */
@Module({
  imports: [
    AuthModule,
    AccountsModule,
    CollectionsModule.of(clientCollection),
    CollectionsModule.of(sessionCollection),
    CollectionsModule.of(grantCollection),
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
    Approvals,
    Artifacts,
    Authorizations,
    BearerAuthenticator,
    ClientRegistry,
    ClientsService,
    EndpointClients,
    ExpiredArtifacts,
    GrantsService,
    Interactions,
    OauthAudit,
    OauthProvider,
    OutsideTokens,
    SessionsService,
    UserChanges,
  ],
})
export class OauthModule {}

import { Artifacts } from '../../credentials/tokens/artifacts.js';
import { FIRST_PARTY } from '../../credentials/tokens/lifetimes.js';
import { OauthAudit } from '../../credentials/oauth/oauth-audit.js';
import { TokenWrites } from '../../credentials/tokens/token-writes.js';
import type { Origin } from '../../../data/database/origin.js';
import { Inject, Injectable } from '@nestjs/common';
import { Accounts } from '../../accounts/accounts.js';
import { CONFIG, type Config } from '../../../runtime/config/config.js';
import { Permissions } from '../../principal/permissions.js';
import { AccessTokenUseWriter } from '../bearer/use-writers.js';
import { type Authorization, Authorizations } from '../authorizations/authorizations.js';
import { ClientRegistry } from '../clients/client-registry.js';
import { SessionsService } from '../sessions/sessions.service.js';

@Injectable()
export class AdapterParts {
  constructor(
    readonly artifacts: Artifacts,
    readonly writes: TokenWrites,
    readonly authorizations: Authorizations,
    readonly accounts: Accounts,
    readonly clients: ClientRegistry,
    readonly sessions: SessionsService,
    readonly accessTokenUses: AccessTokenUseWriter,
    readonly audit: OauthAudit,
    @Inject(CONFIG) readonly config: Pick<Config, 'baseUrl' | 'console' | 'firstPartyRedirects'>,
    readonly permissions: Permissions,
  ) {}

  get isRevocation(): boolean {
    return this.audit.request?.path.endsWith('/oauth/revoke') === true;
  }

  revokerOf({ id, user_id, client_id, grant_id }: Authorization): Origin {
    const { address = null, requestId = null } = this.audit.request ?? {};
    const clientId = client_id === FIRST_PARTY ? null : client_id;
    return { actorType: 'user', userId: user_id, credentialId: grant_id ?? id, clientId, address, requestId };
  }
}

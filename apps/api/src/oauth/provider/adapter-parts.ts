import { Injectable } from '@nestjs/common';

import { Accounts } from '../../accounts/accounts.js';
import { Authorizations } from '../authorizations/authorizations.js';
import { ClientRegistry } from '../clients/client-registry.js';
import { Artifacts, type Artifact } from '../tokens/artifacts.js';
import { TokenWrites } from '../tokens/token-writes.js';
import { OauthAudit } from './oauth-audit.js';

/** What oidc-provider's models are kept by. */
@Injectable()
export class AdapterParts {
  constructor(
    readonly artifacts: Artifacts,
    readonly writes: TokenWrites,
    readonly authorizations: Authorizations,
    readonly accounts: Accounts,
    readonly clients: ClientRegistry,
    private readonly audit: OauthAudit,
  ) {}

  /** A code or refresh token came a second time. */
  reused(model: string, artifact: Artifact | undefined): void {
    this.audit.reused(model, artifact);
  }
}

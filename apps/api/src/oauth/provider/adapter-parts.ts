import type { Accounts } from '../../accounts/accounts.js';
import type { ClientRegistry } from '../clients/client-registry.js';
import type { Artifact, Artifacts } from '../tokens/artifacts.js';
import type { Authorizations } from '../tokens/authorizations.js';

/** What oidc-provider's models are kept by. */
export interface AdapterParts {
  readonly artifacts: Artifacts;
  readonly authorizations: Authorizations;
  readonly accounts: Accounts;
  readonly clients: ClientRegistry;
  /** A code or refresh token came a second time. */
  readonly reused: (model: string, artifact: Artifact | undefined) => void;
}

import type { Scope } from '@items/dtos/contract';
import type { RateLimit } from '@items/conventions';

/** Id of the credential that is `ADMIN_API_KEY`. */
export const ADMIN_KEY_ID = 'admin';

/** The caller according to a valid credential. SPEC §5 */
export interface Principal {
  /** `admin` for the admin key, `strategy:<name>` for an own strategy, else made from the id of the key, token or user. */
  readonly credentialId: string;
  readonly kind: 'api-key' | 'bearer' | 'basic' | 'strategy';
  /** Null for a credential that belongs to no user. */
  readonly userId: string | null;
  /** May see and change what belongs to other users, and do what is for staff: as `countsAsAdmin` decides. */
  readonly isAdmin: boolean;
  /** Scopes that the credential has and its user holds now. */
  readonly scopes: ReadonlySet<Scope>;
  /** The credential's own quota; null for the service's. */
  readonly rateLimit: RateLimit | null;
  /** Id of the application that acts for the user, with their approval; absent: the user acts. */
  readonly delegatedTo?: string;
  /** Id of that approval, where the credential is a token of the application. */
  readonly approvalId?: string;
  /** The credential is a token of another issuer, which acts for the user it is linked to; absent: it is ours. */
  readonly isOutside?: boolean;
  /** Issuer of the token, if it is linked to no user; also for a client that such a token created. */
  readonly issuer?: string;
  /** Only pages of these origins may use the credential; absent: any client. */
  readonly allowedOrigins?: readonly string[];
}

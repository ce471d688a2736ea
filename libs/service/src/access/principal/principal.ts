import type { Scope } from '@items/dtos/contract';
import type { RateLimit } from '@items/conventions';

export const ADMIN_KEY_ID = 'admin';

/** The caller of a request with a valid credential. SPEC §5 */
export interface Principal {
  /**
   * `admin` for the admin key, `strategy:<name>` for an own strategy, otherwise made from the id of the key, token or
   * user.
   */
  readonly credentialId: string;
  readonly kind: 'api-key' | 'bearer' | 'basic' | 'strategy';
  /** Null for a credential without a user. */
  readonly userId: string | null;
  /** May see and change resources of other users, and use operations for staff; see `countsAsAdmin`. */
  readonly isAdmin: boolean;
  /** Scopes of the credential that its user holds now. */
  readonly scopes: ReadonlySet<Scope>;
  /** The credential's own quota, or null for the default. */
  readonly rateLimit: RateLimit | null;
  /** Application that acts for the user with their approval. Absent if the user acts. */
  readonly delegatedTo?: string;
  /** That approval, if the credential is a token of the application. */
  readonly approvalId?: string;
  /** A token of another issuer that acts for the linked user. Absent for credentials of this service. */
  readonly isOutside?: boolean;
  /** Issuer of the token, if no user is linked to it; also for a client that such a token created. */
  readonly issuer?: string;
  /** Only pages of these origins may use the credential. Absent: any client. */
  readonly allowedOrigins?: readonly string[];
}

/** The application is a client of this service that the user approved, or one of another issuer. */
export function isDelegated({ delegatedTo, isOutside }: Principal): boolean {
  return delegatedTo !== undefined || isOutside === true;
}

/** A session or Basic, but neither a key nor a token of an application. */
export function isLogin(principal: Principal): boolean {
  return principal.userId !== null && principal.kind !== 'api-key' && !isDelegated(principal);
}

import type { Scope } from '@items/dtos/contract';
import type { RateLimit } from '@items/conventions';

export const ADMIN_KEY_ID = 'admin';

/** The caller of a request with a valid credential. SPEC §5 */
export interface Principal {
  /**
   * `admin` for the admin key, `strategy:<name>` for a strategy of the app. Otherwise made from the id of the key,
   * token or user.
   */
  readonly credentialId: string;
  readonly kind: 'api-key' | 'bearer' | 'basic' | 'strategy';
  readonly userId: string | null;
  /** The caller may see and change resources of other users, and use operations for staff. See `countsAsAdmin`. */
  readonly isAdmin: boolean;
  /** Granted scopes, except scopes that the user has lost. */
  readonly scopes: ReadonlySet<Scope>;
  /** Quota of the credential. Null for the default quota. */
  readonly rateLimit: RateLimit | null;
  /** Application that acts for the user with an approval. Absent if the user acts. */
  readonly delegatedTo?: string;
  /** Id of the user's approval, if the credential is a token of an application. */
  readonly approvalId?: string;
  /** True for a token of another issuer that acts for the linked user. */
  readonly isOutside?: boolean;
  /** Issuer of a token without a linked user. Also set for a client that such a token created. */
  readonly issuer?: string;
  /** Origins of the pages that may use the credential. Absent: no restriction. */
  readonly allowedOrigins?: readonly string[];
}

/** True if an application acts for the user: a client of this service, or of another issuer. */
export function isDelegated({ delegatedTo, isOutside }: Principal): boolean {
  return delegatedTo !== undefined || isOutside === true;
}

/** True for sessions, Basic and strategies of the app. False for API keys and applications. */
export function isLogin(principal: Principal): boolean {
  return principal.userId !== null && principal.kind !== 'api-key' && !isDelegated(principal);
}

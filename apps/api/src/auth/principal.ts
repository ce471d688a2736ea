import type { RateLimit, Scope } from '@items/contracts';

/** Who makes a request, as far as his valid credential says. SPEC §5 */
export interface Principal {
  /** `admin` for the admin key, else made from the id of the key, token or user. Quotas and idempotency go by it. */
  readonly credentialId: string;
  readonly kind: 'api-key' | 'bearer' | 'basic';
  /** Null for a credential that belongs to no user. */
  readonly userId: string | null;
  /** Has access to what belongs to other users: a user of that role, or a credential of the service's operator. */
  readonly isAdmin: boolean;
  /** What the credential allows and its user may do now. */
  readonly scopes: ReadonlySet<Scope>;
  /** The credential's own quota; null for the service's. */
  readonly rateLimit: RateLimit | null;
  /** Id of the application that acts by it for the user, who has approved so; absent: none. */
  readonly delegatedTo?: string;
  /** Only pages of these origins may use the credential; absent: whoever has it. */
  readonly allowedOrigins?: readonly string[];
}

/** The caller of a request, as shown to the rules of a collection. */
export interface RuleCaller {
  /** Null for a credential without a user. */
  readonly userId: string | null;
  readonly credentialId: string;
  /** Application that acts for the user, or for itself. */
  readonly clientId: string | null;
  readonly scopes: ReadonlySet<string>;
  /** True for an admin. False for an application that acts for an admin, and for a token of another issuer. */
  readonly isAdmin: boolean;
}

export interface Origin {
  /** `outside`: token of another issuer. `system`: the service itself or a local command. */
  readonly actorType: 'user' | 'api_key' | 'client' | 'outside' | 'system';
  readonly userId: string | null;
  /** Id of the API key, session or grant. */
  readonly credentialId: string | null;
  readonly clientId: string | null;
  readonly address: string | null;
  readonly requestId: string | null;
  /** Arrival by `performance.now()`, plus upload time. Undefined for unqueued requests. */
  readonly sinceMs?: number | undefined;
  readonly caller?: RuleCaller;
}

export const SYSTEM: Origin = {
  actorType: 'system',
  userId: null,
  credentialId: null,
  clientId: null,
  address: null,
  requestId: null,
};

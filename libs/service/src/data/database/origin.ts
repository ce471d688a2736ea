export interface Origin {
  /** `system` for the service itself and for local commands. */
  readonly actorType: 'user' | 'api_key' | 'client' | 'outside' | 'system';
  readonly userId: string | null;
  /** Id of the API key, session or grant. */
  readonly credentialId: string | null;
  readonly clientId: string | null;
  readonly address: string | null;
  readonly requestId: string | null;
  /** Arrival of the request on the clock of `performance`. Undefined if it did not wait. */
  readonly sinceMs?: number | undefined;
}

export const SYSTEM: Origin = {
  actorType: 'system',
  userId: null,
  credentialId: null,
  clientId: null,
  address: null,
  requestId: null,
};

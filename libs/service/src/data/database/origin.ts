/** Who makes changes, and from where. Ids are null where there is none. */
export interface Origin {
  /** `system` for the service itself and for commands on its machine. */
  readonly actorType: 'user' | 'api_key' | 'client' | 'outside' | 'system';
  readonly userId: string | null;
  /** Of the key, the session or the approval by which it was asked for. */
  readonly credentialId: string | null;
  /** Of the application that acts. */
  readonly clientId: string | null;
  readonly address: string | null;
  readonly requestId: string | null;
  /** Since when its request waits, on the clock of `performance`; undefined where it began at once. */
  readonly sinceMs?: number | undefined;
}

/** The service itself: of a change that no caller has requested. */
export const SYSTEM: Origin = {
  actorType: 'system',
  userId: null,
  credentialId: null,
  clientId: null,
  address: null,
  requestId: null,
};

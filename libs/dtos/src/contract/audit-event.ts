/** Ids that do not apply are null. SPEC §6.3 */
export interface AuditActor {
  /** `system`: the service itself, or a command on its machine. */
  readonly type: 'user' | 'api_key' | 'client' | 'outside' | 'system';
  readonly user_id: string | null;
  /**
   * Id of the API key (`admin` for `ADMIN_API_KEY`), of the session, or of the user's approval of an OAuth client.
   */
  readonly credential_id: string | null;
  readonly client_id: string | null;
}

/** A committed change and its author. SPEC §6.3 */
export interface AuditEvent {
  /**
   * UUIDv7, in the order of the feed; serves as a position. Equal to the id of the event that the change caused, if
   * any.
   */
  readonly id: string;
  /** `item.updated`. New types may come at any time. */
  readonly type: string;
  /** RFC 3339 in UTC, with milliseconds. */
  readonly timestamp: string;
  readonly actor: AuditActor;
  readonly address: string | null;
  /** Equal to `X-Request-Id` of the response. */
  readonly request_id: string | null;
  readonly object: { readonly type: string; readonly id: string };
  /** Sorted names of the changed fields, without values. */
  readonly changed: readonly string[];
}

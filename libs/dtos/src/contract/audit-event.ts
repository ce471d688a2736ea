/** The author of a change. Ids that do not apply are null. SPEC §6.3 */
export interface AuditActor {
  /**
   * `outside`: a token of another issuer without a linked user; `system`: the service itself, or a command on its
   * machine.
   */
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
   * UUIDv7. Ids increase in the order of the feed, and each is a position in it. Equal to the id of the event that the
   * change caused, if any.
   */
  readonly id: string;
  /** Such as `item.updated`. New types may be added at any time. */
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

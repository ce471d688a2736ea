/** Who made a change. Ids are null where there is none. SPEC §6.3 */
export interface AuditActor {
  /** `system`: the service itself, or a command on its machine. */
  readonly type: 'user' | 'api_key' | 'client' | 'outside' | 'system';
  readonly user_id: string | null;
  /** Of the API key (`admin` for `ADMIN_API_KEY`), the session or the approval. */
  readonly credential_id: string | null;
  /** Of the application that acted. */
  readonly client_id: string | null;
}

/** A committed change, and who made it. SPEC §6.3 */
export interface AuditEvent {
  /** UUIDv7; its order is that of the feed, and it is a place in it. That of the event, where the change made one. */
  readonly id: string;
  /** `item.updated`. New types may come at any time. */
  readonly type: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  readonly actor: AuditActor;
  /** Of the network. */
  readonly address: string | null;
  /** The `X-Request-Id` of the response. */
  readonly request_id: string | null;
  readonly object: { readonly type: string; readonly id: string };
  /** Names of the fields whose value differs, sorted; never values. */
  readonly changed: readonly string[];
}

export interface FeedTable<Name extends string = string> {
  readonly name: Name;
  readonly path: string;
  readonly singular: string;
  readonly columns: string;
  readonly entryColumns: string;
  /** Column of `collection_lanes` that selects the clocks of the feed. */
  readonly clocks: 'emits' | 'ordered';
  /** Whether other instances may leave gaps by writing without events. Readers before a gap get an error. */
  readonly mayHaveGaps: boolean;
}

export const EVENTS: FeedTable<'events'> = {
  name: 'events',
  path: '/events',
  singular: 'event',
  columns: 'id, type, object_id, api_version, data',
  entryColumns: 'id, type, object_id, owner_id',
  clocks: 'emits',
  mayHaveGaps: true,
};

export const AUDIT_EVENTS: FeedTable<'audit_events'> = {
  name: 'audit_events',
  path: '/audit-events',
  singular: 'audit event',
  columns: 'id, type, object_id, actor_type, user_id, credential_id, client_id, address, request_id, changed',
  entryColumns: 'id, type, object_id, actor_type, user_id, credential_id, client_id',
  clocks: 'ordered',
  mayHaveGaps: false,
};

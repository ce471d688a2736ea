/** A table that is read as a feed: what its rows are called, and whose clocks say where it ends. */
export interface FeedTable<Name extends string = string> {
  /** Of the table, and of the list in a page. */
  readonly name: Name;
  /** Cursors are bound to it. */
  readonly path: string;
  /** One row, in words. */
  readonly singular: string;
  /** What is read of a row, beside its key. */
  readonly columns: string;
  /** What says whom a row concerns. */
  readonly newsColumns: string;
  /** The column of `collection_lanes` that says which clocks it stands on. */
  readonly clocks: 'emits' | 'ordered';
  /** Whether other instances may write without a row of it: then a reader gets an error for the gap. */
  readonly mayHaveGaps: boolean;
}

/** What writes tell everybody who may read the resource. */
export const EVENTS: FeedTable<'events'> = {
  name: 'events',
  path: '/events',
  singular: 'event',
  columns: 'id, type, object_id, api_version, data',
  newsColumns: 'id, type, object_id, owner_id',
  clocks: 'emits',
  mayHaveGaps: true,
};

/** Who made which write. */
export const AUDIT_EVENTS: FeedTable<'audit_events'> = {
  name: 'audit_events',
  path: '/audit-events',
  singular: 'audit event',
  columns: 'id, type, object_id, actor_type, user_id, credential_id, client_id, address, request_id, changed',
  newsColumns: 'id, type, object_id, actor_type, user_id, credential_id, client_id',
  clocks: 'ordered',
  mayHaveGaps: false,
};

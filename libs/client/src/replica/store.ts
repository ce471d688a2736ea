export interface Identified {
  readonly id: string;
}

export interface Change<Row> {
  readonly upserted: readonly Row[];
  readonly deleted: readonly string[];
}

export interface StoredCopy<Row> {
  readonly rows: readonly Row[];
  /** Position in the feed, followed by the source and the owner of the rows. Empty if the copy was cleared. */
  readonly position: string;
}

/** A replica that shares its store with other replicas. */
export interface Peer<Row> {
  readonly status: () => string;
  readonly hear: (news: { copy?: StoredCopy<Row>; change?: Change<Row>; status?: string }) => void;
  /** Follows the service and stores each change, until it fails or the signal aborts. */
  readonly lead: (copy: StoredCopy<Row> | undefined, signal: AbortSignal) => Promise<void>;
}

/**
 * Stores the rows of a replica and its position. Calls are atomic and never overlap. Methods may be synchronous. After
 * an error, the replica continues in memory and does not call the store until the next `start()`.
 */
export interface ReplicaStore<Row> {
  /** Owner of the rows, such as the id of a user. Persistent stores have this property. */
  readonly owner?: string | undefined;
  load(): Promise<StoredCopy<Row> | undefined> | StoredCopy<Row> | undefined;
  apply(change: Change<Row> & { readonly position: string }): Promise<void> | void;
  replace(copy: StoredCopy<Row>): Promise<void> | void;
  /** Releases all resources. `load` acquires them again. */
  close?(): void;
  /**
   * Loads the copy, and elects one leader at a time among the replicas that share the store.
   * @param origin Identifies the source and the owner. Each origin has its own leader.
   */
  share?(origin: string, peer: Peer<Row>, signal: AbortSignal): Promise<void>;
}

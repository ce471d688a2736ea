/** A member of a collection. */
export interface Identified {
  readonly id: string;
}

/** Difference between two states of a copy. */
export interface Change<Row> {
  readonly upserted: readonly Row[];
  /** Ids. */
  readonly deleted: readonly string[];
}

/** A whole copy, and the position in the feed that it has. */
export interface StoredCopy<Row> {
  readonly rows: readonly Row[];
  /** Empty: the copy was cleared. */
  readonly position: string;
}

/** A replica, as a store that several of them share sees it. */
export interface Peer<Row> {
  readonly status: () => string;
  /** Gets the stored copy, a change, or the status of the leader. */
  readonly hear: (news: { copy?: StoredCopy<Row>; change?: Change<Row>; status?: string }) => void;
  /** Follows the service and stores what comes, until it ends or the signal aborts. */
  readonly lead: (copy: StoredCopy<Row> | undefined, signal: AbortSignal) => Promise<void>;
}

/**
 * Keeps the rows of a replica and its position. Each call is atomic; calls never overlap. Methods may be synchronous.
 * A store that rejects is not called again until the next `start()`; the replica goes on in memory.
 */
export interface ReplicaStore<Row> {
  /** Owner of the rows, such as the id of a user. A persistent store has this property. */
  readonly owner?: string | undefined;
  /**
   * Returns what is stored. Rows of another origin are deleted.
   * @param origin identifies the source and the owner.
   */
  load(origin: string): Promise<StoredCopy<Row> | undefined> | StoredCopy<Row> | undefined;
  apply(change: Change<Row> & { readonly position: string }): Promise<void> | void;
  replace(copy: StoredCopy<Row> & { readonly origin: string }): Promise<void> | void;
  /** Frees what is open. `load` opens it again. */
  close?(): void;
  /** Lets one replica lead at a time, if several share the store. It also loads. */
  share?(origin: string, peer: Peer<Row>, signal: AbortSignal): Promise<void>;
}

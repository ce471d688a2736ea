/** What a sort key may hold. */
export type KeyValue = string | number | null;

/** A row as a place in an order: its values of the sort keys, and its id. */
export interface Place {
  readonly key: readonly KeyValue[];
  readonly id: string;
}

/** A moment of a collection. */
export interface Snapshot {
  /** The clock of each of its lanes. */
  readonly clocks: readonly number[];
  /** The epoch of the database: another one may have come to the same clocks without it. */
  readonly epoch: string;
}

/** What a statement of a list is run with: what differs from one page to the next. */
export interface Bindings {
  /** The place behind which it begins. */
  readonly after?: Place | undefined;
  /** The place at which it ends. */
  readonly upTo?: Place | undefined;
  /** The moment that it shows. */
  readonly snapshot?: Snapshot | undefined;
  /** Rows that it passes over. */
  readonly skip?: number | undefined;
}

export type KeyValue = string | number | null;

/** Position of a row in an order: its values of the sort keys, and its id. */
export interface SortPosition {
  readonly key: readonly KeyValue[];
  readonly id: string;
}

/** State of a collection at one moment. */
export interface Snapshot {
  /** Clock of each lane. */
  readonly clocks: readonly number[];
  /** Epoch of the database. A restored backup may reach the same clocks in another epoch. */
  readonly epoch: string;
}

/** Values of a prepared list statement. They differ from page to page. */
export interface Bindings {
  /** Exclusive start. */
  readonly after?: SortPosition | undefined;
  /** Inclusive end. */
  readonly upTo?: SortPosition | undefined;
  /** State that the page shows. */
  readonly snapshot?: Snapshot | undefined;
  /** Number of rows to skip. */
  readonly skip?: number | undefined;
}

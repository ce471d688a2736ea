export type KeyValue = string | number | null;

/** Position of a row in an order: its values of the sort keys, and its id. */
export interface SortPosition {
  readonly key: readonly KeyValue[];
  readonly id: string;
}

/** State of a collection at one moment. */
export interface Snapshot {
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
  readonly snapshot?: Snapshot | undefined;
  readonly skip?: number | undefined;
}

export type KeyValue = string | number | null;

/** Values of the sort keys, and the id. */
export interface SortPosition {
  readonly key: readonly KeyValue[];
  readonly id: string;
}

/** State of a collection at one moment. */
export interface Snapshot {
  readonly clocks: readonly number[];
  /** A restored backup may reach the same clocks in another epoch. */
  readonly epoch: string;
}

/** Values of a prepared list statement. */
export interface Bindings {
  /** `after` is exclusive, and `upTo` is inclusive. */
  readonly after?: SortPosition | undefined;
  readonly upTo?: SortPosition | undefined;
  readonly snapshot?: Snapshot | undefined;
  readonly skip?: number | undefined;
}

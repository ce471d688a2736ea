export type KeyValue = string | number | null;

export interface SortPosition {
  readonly key: readonly KeyValue[];
  readonly id: string;
}

export interface Snapshot {
  readonly clocks: readonly number[];
  /** A restored backup may reach the same clocks in another epoch. */
  readonly epoch: string;
}

export interface Bindings {
  /** `after` is exclusive, and `upTo` is inclusive. */
  readonly after?: SortPosition | undefined;
  readonly upTo?: SortPosition | undefined;
  readonly snapshot?: Snapshot | undefined;
  readonly skip?: number | undefined;
}

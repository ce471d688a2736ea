import type { ApiCall } from '../calls/api-call.js';
import type { ConditionalOptions, CreateOptions } from '../client-options.js';
import type { Replica, ReplicaOptions, ReplicaSource } from '../replica/create-replica.js';
import type { Identified } from '../replica/store.js';

/** A write whose method is missing fails with a `TypeError`. */
export interface WritableSource<Row> extends ReplicaSource<Row> {
  get?(id: string): ApiCall<Row>;
  create?(input: object, options?: CreateOptions): ApiCall<Row>;
  replace?(id: string, input: object, options?: ConditionalOptions): ApiCall<Row>;
  delete?(id: string, options?: ConditionalOptions): ApiCall<void>;
}

export interface ReplicaCollectionOptions<Row extends Identified> extends ReplicaOptions<Row> {
  readonly source: WritableSource<Row>;
  readonly id?: string | undefined;
}

export interface SyncParams<Row> {
  readonly begin: () => void;
  readonly write: (message: { readonly type: 'insert' | 'update' | 'delete'; readonly value: Row }) => void;
  readonly commit: () => unknown;
  readonly markReady: () => void;
  /** Absent in older versions of TanStack DB. */
  readonly markError?: (error?: unknown) => void;
}

export interface MutationParams<Row> {
  readonly transaction: {
    readonly mutations: readonly { readonly key: unknown; readonly original: object; readonly modified: Row }[];
  };
}

export interface CollectionOptions<Row extends Identified> {
  readonly id?: string;
  readonly getKey: (row: Row) => string;
  readonly sync: { readonly sync: (params: SyncParams<Row>) => () => void; readonly rowUpdateMode: 'full' };
  readonly onInsert: (params: MutationParams<Row>) => Promise<void>;
  readonly onUpdate: (params: MutationParams<Row>) => Promise<void>;
  readonly onDelete: (params: MutationParams<Row>) => Promise<void>;
  readonly utils: { readonly replica: Replica<Row> };
}

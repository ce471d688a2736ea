export { replicaCollectionOptions } from './collection-options.js';
export type {
  CollectionOptions,
  MutationParams,
  ReplicaCollectionOptions,
  SyncParams,
  WritableSource,
} from './types.js';

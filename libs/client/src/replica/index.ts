export { createReplica } from './create-replica.js';
export type { Replica, ReplicaOptions, ReplicaSource } from './create-replica.js';
export type { ReplicaStatus } from './copy-state.js';
export { memoryStore } from './memory-store.js';
export type { Change, Identified, Peer, ReplicaStore, StoredCopy } from './store.js';

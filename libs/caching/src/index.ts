export { ExpiringMap } from './expiring-map.js';
export type { Bounds } from './expiring-map.js';
export { ReadThroughCache } from './read-through-cache.js';
export type { LookUps, ReadThroughOptions } from './read-through-cache.js';
export { PerConnectionMemo } from './per-connection-memo.js';

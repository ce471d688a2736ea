/*
 * What `@items/events`, `@items/nest` and tests build on. It may change in any version: for an app,
 * `@items/collections` is what there is.
 */
export type { ChangeRecorder, CollectionEvents } from './change-recorder.js';
export { CollectionReader } from './collection-reader.js';
export { LaneClock } from './lane-clock.js';
export type { Stamp, StampedWrite } from './lane-clock.js';
export { Parameters } from './parameters.js';
export { RowStore } from './row-store.js';
export { Totals } from './totals.js';

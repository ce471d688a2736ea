/*
 * What `@items/events`, `@items/nest` and tests build on. It may change in any version: for an app,
 * `@items/collections` is what there is.
 */
export type { ChangeRecorder, CollectionEvents } from './change-recorder.js';
export { CollectionReader } from './collection-reader.js';
export { KeptClocks } from './kept-clocks.js';
export { LaneClock } from './lane-clock.js';
export type { Stamp, StampedWrite, StampTerms } from './stamp-terms.js';
export { STAMP_RELATION, textOf } from './stamp-terms.js';
export { Parameters } from './parameters.js';
export { RowStore } from './row-store.js';
export { Totals } from './totals.js';

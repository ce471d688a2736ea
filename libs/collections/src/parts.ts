/*
 * What `@items/events`, `@items/nest` and tests build on. It may change in any version: for an app,
 * `@items/collections` is what there is.
 */
export type { ChangeRecorder, CollectionAudit, CollectionEvents, RecordedChange } from './change-recorder.js';
export { CollectionReader } from './collection-reader.js';
export { ClockSql } from './clock-sql.js';
export { LaneClock } from './lane-clock.js';
export type { Stamp, StampedWrite, StampTerms } from './stamp-terms.js';
export { STAMP_RELATION, textOf } from './stamp-terms.js';
export { PageText } from './page-text.js';
export { Parameters } from './parameters.js';
export { RowStore } from './row-store.js';
export { Totals } from './totals.js';

export { BEFORE_EPOCHS, decodeCursor, encodeCursor } from './cursor.js';
export type { CursorPosition } from './cursor.js';
export { sealBy } from './seal.js';
export type { Seal } from './seal.js';
export { millisecondAt } from './exact-time.js';
export { booleanFilter, oneOf, textFilter } from './filter-rule.js';
export type { FilterRule } from './filter-rule.js';
export { cursorLinks, linkHeader, linkHeaderTo, linkTarget, offsetLinks } from './link-header.js';
export type { PageLinks } from './link-header.js';
export type {
  CursorRequest,
  ListFilter,
  ListRange,
  ListRequest,
  ListRules,
  OffsetRequest,
  SortKey,
} from './list-request.js';
export { offsetWindow } from './offset-window.js';
export { MAX_FILTER_COMBINATIONS, parseListQuery, requireFewCombinations } from './parse-list-query.js';
export { parseRange } from './parse-range.js';
export { doubleRange, prefixRange, timeRange, wholeNumberRange } from './range-rule.js';
export type { RangeBounds, RangeEnd, RangeRule } from './range-rule.js';
export { keyset } from './keyset.js';
export type { KeysetOptions, KeysetPage } from './keyset.js';
export { parseListUrl } from './parse-list-url.js';
export type { ListRequestAt } from './parse-list-url.js';

import { LRUCache } from 'lru-cache';

/** So many reads of one list are cached: a list has a few, by which of its sort keys are null and how long a read is. */
const CAPACITY = 100;
/** A longer form, for it holds long values of a filter, is put together each time. */
const MAX_FORM_LENGTH = 1024;

/** What was put together once for a list, by what tells its forms apart: `memo(form, { context: make })`. */
export type CachedReads<Read extends object> = LRUCache<string, Read, () => Read>;

export function cachedReads<Read extends object>(): CachedReads<Read> {
  return new LRUCache<string, Read, () => Read>({
    max: CAPACITY,
    maxEntrySize: MAX_FORM_LENGTH,
    sizeCalculation: (_read, form) => form.length,
    memoMethod: (_form, _stale, { context: make }) => make(),
  });
}

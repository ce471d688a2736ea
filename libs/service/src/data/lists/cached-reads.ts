import { LRUCache } from 'lru-cache';

/** The statements of a list differ in null sort keys and the number of rows. */
const CAPACITY = 100;
/** A longer key has long filter values and is not cached. */
const MAX_FORM_LENGTH = 1024;

/** Called as `memo(form, { context: make })`. */
export type CachedReads<Read extends object> = LRUCache<string, Read, () => Read>;

export function cachedReads<Read extends object>(): CachedReads<Read> {
  return new LRUCache<string, Read, () => Read>({
    max: CAPACITY,
    maxEntrySize: MAX_FORM_LENGTH,
    sizeCalculation: (_read, form) => form.length,
    memoMethod: (_form, _stale, { context: make }) => make(),
  });
}

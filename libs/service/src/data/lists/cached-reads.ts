import { LRUCache } from 'lru-cache';

/** Maximum number of cached statements of a list. They differ in null sort keys and in the number of rows. */
const CAPACITY = 100;
/** A longer key contains long filter values. Its statement is built each time. */
const MAX_FORM_LENGTH = 1024;

/** Statements of a list by the key of their form: `memo(form, { context: make })`. */
export type CachedReads<Read extends object> = LRUCache<string, Read, () => Read>;

export function cachedReads<Read extends object>(): CachedReads<Read> {
  return new LRUCache<string, Read, () => Read>({
    max: CAPACITY,
    maxEntrySize: MAX_FORM_LENGTH,
    sizeCalculation: (_read, form) => form.length,
    memoMethod: (_form, _stale, { context: make }) => make(),
  });
}

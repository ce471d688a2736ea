import { LRUCache } from 'lru-cache';

/** Maximum number of statements of a list. They differ, for example, in which sort keys are null. */
const CAPACITY = 100;
/** A longer key has long filter values and is not cached. */
const MAX_FORM_LENGTH = 1024;

/** `memo(form, { context: make })` returns the read with the key `form`. `make` creates a missing read. */
export type CachedReads<Read extends object> = LRUCache<string, Read, () => Read>;

export function cachedReads<Read extends object>(): CachedReads<Read> {
  return new LRUCache<string, Read, () => Read>({
    max: CAPACITY,
    maxEntrySize: MAX_FORM_LENGTH,
    sizeCalculation: (_read, form) => form.length,
    memoMethod: (_form, _stale, { context: make }) => make(),
  });
}

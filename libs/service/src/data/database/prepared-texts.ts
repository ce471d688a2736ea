import { LRUCache } from 'lru-cache';

export const MAX_TEXTS = 500;
/** Length of all cached texts. Their prepared statements take about ten times the memory. */
const MAX_CHARACTERS = 1_048_576;
/** Longer texts, such as a filter with thousands of values, are not cached. */
export const MAX_TEXT_LENGTH = 16_384;

export type PreparedTexts<Prepared extends object> = LRUCache<string, Prepared>;

export function preparedTexts<Prepared extends object>(onEvicted?: () => void): PreparedTexts<Prepared> {
  return new LRUCache<string, Prepared>({
    max: MAX_TEXTS,
    maxSize: MAX_CHARACTERS,
    maxEntrySize: MAX_TEXT_LENGTH,
    sizeCalculation: (_prepared, text) => Math.max(text.length, 1),
    ...(onEvicted && { dispose: onEvicted }),
  });
}

import { LRUCache } from 'lru-cache';

/** Texts kept at most; they are the hot ones among many combinations of sort and filter. */
export const MAX_TEXTS = 500;
/** Characters of all texts kept together. What was prepared takes some ten times that. */
const MAX_CHARACTERS = 1_048_576;
/** A longer text, such as a filter by thousands of values, is prepared each time: it is not kept. */
export const MAX_TEXT_LENGTH = 16_384;

/** What was prepared for a text, such as a statement of SQL, so that it is done once. */
export type PreparedTexts<Prepared extends object> = LRUCache<string, Prepared>;

/** A cache by text. What was used longest ago goes first. @param onEvicted is called for what is no longer kept. */
export function preparedTexts<Prepared extends object>(onEvicted?: () => void): PreparedTexts<Prepared> {
  return new LRUCache<string, Prepared>({
    max: MAX_TEXTS,
    maxSize: MAX_CHARACTERS,
    maxEntrySize: MAX_TEXT_LENGTH,
    sizeCalculation: (_prepared, text) => Math.max(text.length, 1),
    ...(onEvicted && { dispose: onEvicted }),
  });
}

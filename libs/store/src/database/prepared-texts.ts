import { LRUCache } from 'lru-cache';

/** Texts kept at most; they are the hot ones among many combinations of sort and filter. */
export const MAX_TEXTS = 500;
/** Characters of all texts kept together. What was prepared takes some ten times that. */
const MAX_CHARACTERS = 1_048_576;
/** A longer text, such as a filter by thousands of values, is prepared each time. */
const MAX_LENGTH = 16_384;

/** What was prepared for a text, such as a statement of SQL, so that it is done once. Those used longest ago go first. */
export class PreparedTexts<Prepared extends object> {
  private readonly kept: LRUCache<string, Prepared>;

  /** @param onEvicted hears of what is no longer kept. */
  constructor(onEvicted?: () => void) {
    this.kept = new LRUCache<string, Prepared>({
      max: MAX_TEXTS,
      maxSize: MAX_CHARACTERS,
      sizeCalculation: (_prepared, text) => text.length + 1,
      ...(onEvicted && { dispose: onEvicted }),
    });
  }

  /** @param prepare `isKept` is false for a text that is too long to be kept. What it throws is not kept. */
  get(text: string, prepare: (text: string, isKept: boolean) => Prepared): Prepared {
    const known = this.kept.get(text);
    if (known !== undefined) return known;
    const isKept = text.length <= MAX_LENGTH;
    const made = prepare(text, isKept);
    if (isKept) this.kept.set(text, made);
    return made;
  }
}

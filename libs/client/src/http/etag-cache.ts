import type { Answer } from './outgoing-request.js';

/** How much is kept. */
export interface CacheLimits {
  readonly maxEntries: number;
  /** Bytes of memory, about. */
  readonly maxBytes: number;
}

/** Answers with their `ETag`, within bounds; what was asked for longest ago goes first. RFC 9110 §8.8.3 */
export interface EtagCache {
  /** The answer kept under a key, which is thereby the newest. */
  readonly find: (key: string) => Answer | undefined;
  /** Keeps an answer that has an `ETag`, unless it alone is too much. */
  readonly keep: (key: string, answer: Answer) => void;
}

export function etagCache({ maxEntries, maxBytes }: CacheLimits): EtagCache {
  /** Oldest first. */
  const answers = new Map<string, Answer>();
  let bytes = 0;

  const put = (key: string, answer: Answer): void => {
    answers.set(key, answer);
    bytes += sizeOf(key, answer);
  };
  const take = (key: string): Answer | undefined => {
    const answer = answers.get(key);
    if (answer && answers.delete(key)) bytes -= sizeOf(key, answer);
    return answer;
  };

  return {
    find: (key) => {
      const answer = take(key);
      if (answer) put(key, answer);
      return answer;
    },
    keep: (key, answer) => {
      take(key);
      if (!answer.headers.has('etag') || sizeOf(key, answer) > maxBytes) return;
      put(key, answer);
      for (const oldest of answers.keys()) if (answers.size > maxEntries || bytes > maxBytes) take(oldest);
    },
  };
}

/** Three bytes of UTF-8 at most for each unit of UTF-16; the rest is what an entry costs by itself. */
function sizeOf(key: string, { text }: Answer): number {
  return 3 * (key.length + text.length) + 500;
}

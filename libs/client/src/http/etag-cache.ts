import type { CacheOptions, Complete } from '../client-options.js';
import type { Answer } from './outgoing-request.js';

/** Evicts least recently used entries first. RFC 9110 §8.8.3 */
export interface EtagCache {
  readonly find: (key: string) => Answer | undefined;
  readonly keep: (key: string, answer: Answer) => void;
}

export function etagCache({ maxEntries, maxBytes }: Complete<CacheOptions>): EtagCache {
  // In order of use, least recent first.
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

/** Estimates the bytes of an entry: three (the maximum in UTF-8) per UTF-16 code unit, plus a fixed overhead. */
function sizeOf(key: string, { text }: Answer): number {
  return 3 * (key.length + text.length) + 500;
}

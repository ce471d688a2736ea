import type { Answer } from './outgoing-request.js';

/** How much is kept. */
export interface CacheLimits {
  readonly maxEntries: number;
  /** Bytes of memory, about. */
  readonly maxBytes: number;
}

/** Answers with their `ETag`, within bounds; what was asked for longest ago goes first. RFC 9110 §8.8.3 */
export class EtagCache {
  /** Oldest first. */
  readonly #answers = new Map<string, Answer>();
  #bytes = 0;

  constructor(private readonly limits: CacheLimits) {}

  /** The answer kept under a key, which is thereby the newest. */
  find(key: string): Answer | undefined {
    const answer = this.#take(key);
    if (answer !== undefined) this.#put(key, answer);
    return answer;
  }

  /** Keeps an answer that has an `ETag`, unless it alone is too much. */
  keep(key: string, answer: Answer): void {
    this.#take(key);
    if (!answer.headers.has('etag') || sizeOf(key, answer) > this.limits.maxBytes) return;
    this.#put(key, answer);
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= this.limits.maxEntries && this.#bytes <= this.limits.maxBytes) return;
      this.#take(oldest);
    }
  }

  #put(key: string, answer: Answer): void {
    this.#answers.set(key, answer);
    this.#bytes += sizeOf(key, answer);
  }

  #take(key: string): Answer | undefined {
    const answer = this.#answers.get(key);
    if (answer === undefined) return undefined;
    this.#answers.delete(key);
    this.#bytes -= sizeOf(key, answer);
    return answer;
  }
}

/** Three bytes of UTF-8 at most for each unit of UTF-16; the rest is what an entry costs by itself. */
function sizeOf(key: string, { text }: Answer): number {
  return 3 * (key.length + text.length) + 500;
}

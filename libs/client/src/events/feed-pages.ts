import { unexpected } from '../errors/error-of-answer.js';

export interface FeedPage {
  readonly after: string;
  /** The events, under the name of the list. */
  readonly [list: string]: unknown;
}

export interface RetryPolicy {
  /** Returns the pause after a fault, in ms. @throws The fault, if it is final. */
  readonly pauseAfter: (error: unknown) => number;
  readonly pause: (ms: number) => Promise<void>;
}

/** Retries until success. @throws The first error that the policy treats as final. */
export async function retryUntilSuccess<T>({ pauseAfter, pause }: RetryPolicy, run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      await pause(pauseAfter(error));
    }
  }
}

/**
 * Reads pages without end, and retries after temporary errors.
 * @param name Name of the list in the pages.
 * @throws {ItemsApiError} A page with events does not advance the position.
 */
export async function* feedPages(
  name: string,
  after: string | undefined,
  policy: RetryPolicy,
  read: (after: string | undefined) => Promise<FeedPage>,
): AsyncGenerator<FeedPage, void, undefined> {
  let position = after;
  for (;;) {
    const page = await retryUntilSuccess(policy, () => read(position));
    if (page.after === position && (page[name] as readonly unknown[]).length > 0) {
      throw unexpected(200, 'The list does not advance.');
    }
    yield page;
    position = page.after;
  }
}

import { unexpected } from '../errors/error-of-answer.js';

export interface FeedPage {
  readonly after: string;
  /** Members, under the name of the list. */
  readonly [list: string]: unknown;
}

export interface Patience {
  /** Returns the pause after a fault, in ms. @throws The fault, if it is final. */
  readonly pauseAfter: (error: unknown) => number;
  readonly pause: (ms: number) => Promise<void>;
}

/** Retries until it succeeds. @throws The error that {@link Patience} treats as final. */
export async function persist<T>({ pauseAfter, pause }: Patience, run: () => Promise<T>): Promise<T> {
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
 * @param name Of the list in its pages.
 * @param after Position or event to start after.
 * @throws {ItemsApiError} A page contains events but repeats the position of its query.
 */
export async function* feedPages(
  name: string,
  after: string | undefined,
  patience: Patience,
  read: (after: string | undefined) => Promise<FeedPage>,
): AsyncGenerator<FeedPage, void, undefined> {
  let position = after;
  for (;;) {
    const page = await persist(patience, () => read(position));
    if (page.after === position && (page[name] as readonly unknown[]).length > 0) {
      throw unexpected(200, 'The list does not advance.');
    }
    yield page;
    position = page.after;
  }
}

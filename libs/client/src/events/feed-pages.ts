import { unexpected } from '../errors/error-of-answer.js';

/** A page of a feed, as far as a reader needs it. */
export interface FeedPage {
  /** The position that the page reached. */
  readonly after: string;
  /** Members, by the name of the list. */
  readonly [list: string]: unknown;
}

/** How faults are survived. */
export interface Patience {
  /** Returns the pause after a fault, in ms. @throws the fault, if it is final. */
  readonly pauseAfter: (error: unknown) => number;
  readonly pause: (ms: number) => Promise<void>;
}

/** Runs something until it succeeds. @throws what {@link Patience} throws. */
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
 * Reads a feed page after page, through all faults that may pass; it never ends by itself.
 * @param name of the list in its pages. @param after the position, or the event, at which it begins.
 * @throws {ItemsApiError} A page with events has the position that led to it.
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

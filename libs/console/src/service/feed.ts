import type { Event, ItemsClient } from '@items/client';

/** Follows the events that the user may read, from now on. */
export class Feed {
  readonly #listeners = new Set<(event: Event) => void>();
  #isStarted = false;

  /** @param onEvent Called with each event before the listeners. */
  constructor(
    private readonly client: ItemsClient,
    private readonly onEvent: (event: Event) => void,
  ) {}

  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    // Without events, or the right to read them, lists are not live.
    void this.#follow().catch(() => undefined);
  }

  /** Calls the listener with each event until the returned function is called. */
  listen(listener: (event: Event) => void): () => void {
    this.#listeners.add(listener);
    this.start();
    return () => void this.#listeners.delete(listener);
  }

  async #follow(): Promise<void> {
    const { events } = await this.client.events.list({ sort: '-timestamp', limit: 1 });
    for await (const { event } of this.client.events.follow({ after: events[0]?.id })) {
      for (const listener of [this.onEvent, ...this.#listeners]) listener(event);
    }
  }
}

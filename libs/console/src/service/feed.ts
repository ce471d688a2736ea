import type { Event, ItemsClient } from '@items/client';

/** Follows the events that the user may read, from now on. */
export class Feed {
  readonly #listeners = new Set<(event: Event) => void>();
  #isStarted = false;

  constructor(private readonly client: ItemsClient) {}

  /** Calls the listener with each event until the returned function is called. */
  listen(listener: (event: Event) => void): () => void {
    this.#listeners.add(listener);
    if (!this.#isStarted) {
      this.#isStarted = true;
      // Without events, or the right to read them, lists are not live.
      void this.#follow().catch(() => undefined);
    }
    return () => void this.#listeners.delete(listener);
  }

  async #follow(): Promise<void> {
    const { events } = await this.client.events.list({ sort: '-timestamp', limit: 1 });
    for await (const { event } of this.client.events.follow({ after: events[0]?.id })) {
      for (const listener of [...this.#listeners]) listener(event);
    }
  }
}

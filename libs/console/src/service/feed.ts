import type { Event, ItemsClient } from '@items/client';

/** Follows the events that the user may read, from its start on. */
export class Feed {
  readonly listeners = new Set<(event: Event) => void>();
  #isStarted = false;

  constructor(private readonly client: ItemsClient) {}

  start(): void {
    // Without events, or the right to read them, lists are not live.
    if (!this.#isStarted) void this.#follow().catch(() => undefined);
    this.#isStarted = true;
  }

  async #follow(): Promise<void> {
    const { events } = await this.client.events.list({ sort: '-timestamp', limit: 1 });
    for await (const { event } of this.client.events.follow({ after: events[0]?.id })) {
      for (const listener of this.listeners) listener(event);
    }
  }
}

import type { Event, ItemsClient } from '@items/client';

/** Notifies listeners of new events that the user may read. */
export class Feed {
  readonly listeners = new Set<(event: Event) => void>();
  #isStarted = false;

  constructor(private readonly client: ItemsClient) {}

  start(): void {
    // If events are off or forbidden, lists are not updated.
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

import type { Answer, HttpClient } from '@items/testing';

import { admin } from './clients.js';
import { createItem } from './items.js';
import { expectStatus } from './reading.js';

/** An event in a response. SPEC §6.1 */
export interface ShownEvent {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly api_version: string;
  readonly data: { readonly object: Readonly<Record<string, unknown>>; readonly previous?: object };
}

export interface EventPage {
  readonly events: readonly ShownEvent[];
  readonly limit: number;
  readonly next_cursor?: string;
  readonly after: string;
}

export function eventsOf(answer: Answer): EventPage {
  expectStatus(answer, 200);
  return answer.json() as EventPage;
}

/** A page of the feed. @param query without `?` */
export async function readEvents(query: string, client: HttpClient = admin): Promise<EventPage> {
  return eventsOf(await client.get(`/events?${query}`));
}

export async function endOfFeed(client: HttpClient = admin): Promise<string> {
  if (client === admin) await caughtUp();
  return (await readEvents('sort=-timestamp&limit=1', client)).after;
}

/** Waits until the feed lists all completed writes: concurrent writes of other specs may delay it. */
export async function caughtUp(): Promise<void> {
  const { id } = await createItem();
  await readEvents(`object_id=${id}&wait=20`);
}

/** Returns all events after a position, page by page. @param query further parameters, each prefixed by `&`. */
export async function eventsAfter(after: string, query = '', client: HttpClient = admin): Promise<ShownEvent[]> {
  await caughtUp();
  const events: ShownEvent[] = [];
  let cursor: string | undefined;
  do {
    const page = await readEvents(
      `after=${after}&limit=3${query}${cursor === undefined ? '' : `&cursor=${cursor}`}`,
      client,
    );
    events.push(...page.events);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return events;
}

/** Filters the events of some resources, because other specs write as well. */
export function about(events: readonly ShownEvent[], ...ids: readonly string[]): ShownEvent[] {
  return events.filter(({ data }) => ids.includes(String(data.object['id'])));
}

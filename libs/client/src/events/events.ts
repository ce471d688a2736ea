import type { Event, EventKind } from '@items/contracts';
import type { CursorPage } from '@items/conventions';

import type { CallOptions } from '../client-options.js';
import { pathPart, type Filters, type OneOrMore } from '../collections/list-query.js';
import { lists } from '../collections/lists.js';
import type { Reach } from '../collections/reach.js';
import { unexpected } from '../errors/error-of-answer.js';
import { follow, type FollowedEvent, type FollowOptions } from './follow.js';

/** A page of the feed. SPEC §6.1 */
export type EventPage = CursorPage<'events', Event> & {
  /** The place that it reached: what comes later is behind it. */
  readonly after: string;
};

/** What is asked of the feed. SPEC §6.1 */
export interface EventQuery {
  /** Begins behind this place, or this event. */
  readonly after?: string | undefined;
  /** Seconds, up to 20, for which an empty first page waits for an event. */
  readonly wait?: number | undefined;
  /** Kinds, or all of a subject: `item.*`. */
  readonly type?: OneOrMore<EventType> | undefined;
  /** Only what happened to this resource. */
  readonly object_id?: string | undefined;
  /** Oldest first without it. */
  readonly sort?: 'timestamp' | '-timestamp' | undefined;
  /** 1–100. */
  readonly limit?: number | undefined;
  /** The `next_cursor` of the page before. */
  readonly cursor?: string | undefined;
}

/** Kinds that are known here, and others that a newer service may have. */
export type EventType = EventKind | `${string}.${string}`;

/** `/events`: what happened, in one order that is the same for everybody. SPEC §6.1 */
export interface Events {
  /** One page. @throws {ExpiredCursorError} what followed the place is not kept any more. */
  list(query?: EventQuery, options?: CallOptions): Promise<EventPage>;
  /** @throws {NotFoundError} */
  get(id: string, options?: CallOptions): Promise<Event>;
  /**
   * Every event behind a place, once, in order, and those that come later as they come; it ends only by an error, a signal,
   * or `break`. Keep the `after` of what you have dealt with: a new `follow` goes on from there.
   *
   * Once it has reached the service, it goes on from where it was after faults of the network, and while the service is
   * down, however long that takes; `onFault` is told of each.
   * @throws {ExpiredCursorError} what followed the place is not kept any more: read the resources anew. @throws the signal's
   * reason.
   */
  follow(options?: FollowOptions): AsyncGenerator<FollowedEvent, void, undefined>;
}

export function events(reach: Reach): Events {
  const pages = lists(reach.transport, 'events', 'events');
  const list: Events['list'] = async (query, options) => {
    const events = (await pages.page(query as Filters, options)) as unknown as EventPage;
    if (typeof events.after === 'string') return events;
    throw unexpected(200, 'The answer is no page: it has no "after".');
  };
  return {
    list,
    get: async (id, options) => {
      const { body } = await reach.transport({ ...options, method: 'GET', path: `events/${pathPart(id)}` });
      return body as unknown as Event;
    },
    follow: (options) => follow(reach, list, options),
  };
}

import type { AuditEvent, Event, EventKind } from '@items/dtos/contract';
import type { CursorPage } from '@items/conventions';

import type { ApiCall } from '../calls/api-call.js';
import type { CallOptions } from '../client-options.js';
import { collection } from '../collections/collection.js';
import type { Between, OneOrMore } from '../collections/list-query.js';
import { lists } from '../collections/lists.js';
import type { Reach } from '../collections/reach.js';
import { follow, type AuditFollowOptions, type FollowedEvent, type FollowOptions, type ReadPage } from './follow.js';

/** A page of the feed. SPEC §6.1 */
export type EventPage = CursorPage<'events', Event> & {
  /** The place that it reached: what comes later is behind it. */
  readonly after: string;
};

/** The query of the feed. SPEC §6.1 */
export interface EventQuery extends Between<'timestamp', string> {
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
  list(query?: EventQuery, options?: CallOptions): ApiCall<EventPage>;
  /** @throws {NotFoundError} */
  get(id: string, options?: CallOptions): ApiCall<Event>;
  /**
   * Every event behind a place, once, in order, and those that come later as they come; it ends only by an error, a signal,
   * or `break`. Keep the `after` of what you have dealt with: a new `follow` goes on from there.
   *
   * Once it has reached the service, it goes on from where it was after faults of the network, and while the service is
   * down, however long that takes; `onFault` is called for each.
   * @throws {ExpiredCursorError} what followed the place is not kept any more: read the resources anew. @throws the signal's
   * reason.
   */
  follow(options?: FollowOptions): AsyncGenerator<FollowedEvent, void, undefined>;
}

/** The query of the audit. SPEC §6.3 */
export interface AuditQuery extends Omit<EventQuery, 'type'> {
  /** Types, or all of a subject: `api_key.*`. */
  readonly type?: OneOrMore<`${string}.${string}`> | undefined;
  /** Only what this user, credential or client did. */
  readonly actor_id?: string | undefined;
}

/** A page of the audit. SPEC §6.3 */
export type AuditPage = CursorPage<'audit_events', AuditEvent> & Pick<EventPage, 'after'>;

/** `/audit-events`: who made which change, in the order of events. SPEC §6.3 */
export interface AuditEvents {
  /** As {@link Events.list}. */
  list(query?: AuditQuery, options?: CallOptions): ApiCall<AuditPage>;
  /** @throws {NotFoundError} */
  get(id: string, options?: CallOptions): ApiCall<AuditEvent>;
  /** As {@link Events.follow}. */
  follow(options?: AuditFollowOptions): AsyncGenerator<FollowedEvent<AuditEvent>, void, undefined>;
}

/** Both feeds. */
interface Feeds {
  readonly events: Events;
  readonly audit_events: AuditEvents;
}

export function feed<Name extends keyof Feeds>(reach: Reach, name: Name): Feeds[Name] {
  const path = name.replace('_', '-');
  const members = collection(reach, path);
  const { page: list } = lists(reach.transport, path, name, 'after') as unknown as { readonly page: ReadPage };
  const found = {
    list,
    get: (id: string, options?: CallOptions) => members.get(id, options),
    follow: (options?: AuditFollowOptions) => follow(reach, name, list, options),
  };
  return found as unknown as Feeds[Name];
}

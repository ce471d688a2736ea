import type { AuditEvent, Event, EventKind } from '@items/dtos/contract';
import type { CursorPage } from '@items/conventions';
import type { ApiCall } from '../calls/api-call.js';
import type { CallOptions } from '../client-options.js';
import { collection } from '../collections/collection.js';
import type { Between, OneOrMore } from '../collections/list-query.js';
import { lists } from '../collections/lists.js';
import type { Reach } from '../collections/reach.js';
import { follow, type AuditFollowOptions, type FollowedEvent, type FollowOptions, type ReadPage } from './follow.js';

export type EventPage = CursorPage<'events', Event> & {
  /** Position of the end of this page. Pass it as `after` to get later events. */
  readonly after: string;
};

export interface EventQuery extends Between<'timestamp', string> {
  /** Start after this position or event id. */
  readonly after?: string | undefined;
  /** Seconds (at most 20) that the service waits for an event before it returns an empty first page. */
  readonly wait?: number | undefined;
  /** Types, or all types of a subject: `item.*`. */
  readonly type?: OneOrMore<EventType> | undefined;
  /** Only events of this resource. */
  readonly object_id?: string | undefined;
  /** Default: oldest first. */
  readonly sort?: 'timestamp' | '-timestamp' | undefined;
  /** 1–100. */
  readonly limit?: number | undefined;
  /** The `next_cursor` of the previous page. */
  readonly cursor?: string | undefined;
}

/** A newer service may send other types. */
export type EventType = EventKind | `${string}.${string}`;

/** `/events`: all changes, in the same order for all readers. SPEC §6.1 */
export interface Events {
  /** Returns one page. @throws {ExpiredCursorError} Events after the position were already deleted. */
  list(query?: EventQuery, options?: CallOptions): ApiCall<EventPage>;
  /** @throws {NotFoundError} */
  get(id: string, options?: CallOptions): ApiCall<Event>;
  /**
   * Iterates once, in order, over all events after a position, and waits for new events. Ends only by an error, an abort
   * signal or `break`. To continue later, store the `after` of each event that you have processed, and pass it to a new
   * `follow`. After the first response, retries without a time limit while the network or the service is down, and calls
   * `onFault` for each error.
   * @throws {ExpiredCursorError} Events after the position were already deleted: read the resources again.
   * @throws The abort reason of the signal.
   */
  follow(options?: FollowOptions): AsyncGenerator<FollowedEvent, void, undefined>;
}

export interface AuditQuery extends Omit<EventQuery, 'type'> {
  /** Types, or all types of a subject: `api_key.*`. */
  readonly type?: OneOrMore<`${string}.${string}`> | undefined;
  /** Only changes by this user, credential or client. */
  readonly actor_id?: string | undefined;
}

export type AuditPage = CursorPage<'audit_events', AuditEvent> & Pick<EventPage, 'after'>;

/** `/audit-events`: changes with their authors, in the order of `/events`. SPEC §6.3 */
export interface AuditEvents {
  list(query?: AuditQuery, options?: CallOptions): ApiCall<AuditPage>;
  /** @throws {NotFoundError} */
  get(id: string, options?: CallOptions): ApiCall<AuditEvent>;
  follow(options?: AuditFollowOptions): AsyncGenerator<FollowedEvent<AuditEvent>, void, undefined>;
}

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

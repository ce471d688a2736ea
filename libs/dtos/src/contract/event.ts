import type { Item } from './item.js';
import type { Order } from './order.js';
import type { User } from './user.js';
import type { Webhook } from './webhook.js';

/** Data of an event: the resource after its creation, or before its deletion. SPEC §6.1 */
export interface EventObject<T> {
  readonly object: T;
}

/** Data of an event: the resource after a change, and the previous values of the changed fields. SPEC §6.1 */
export interface ChangedObject<T> extends EventObject<T> {
  readonly previous: Partial<T>;
}

export type CollectionEvents<Subject extends string, T> = {
  readonly [Kind in `${Subject}.created` | `${Subject}.deleted`]: EventObject<T>;
} & { readonly [Kind in `${Subject}.updated`]: ChangedObject<T> };

/** A user in an event: without a name and without credentials. SPEC §6.1 */
export type UserInEvent = Pick<User, 'id' | 'role' | 'disabled' | 'created_at' | 'updated_at'>;

/** A webhook in an event: without its URL. SPEC §6.1 */
export type WebhookInEvent = Omit<Webhook, 'url' | 'secrets'>;

/** Kinds of events, each with its `data`. SPEC §6.1 */
export interface EventData extends CollectionEvents<'item', Item>, CollectionEvents<'user', UserInEvent> {
  readonly 'order.created': EventObject<Order>;
  readonly 'order.confirmed': ChangedObject<Order>;
  readonly 'order.shipped': ChangedObject<Order>;
  readonly 'order.delivered': ChangedObject<Order>;
  readonly 'order.cancelled': ChangedObject<Order>;
  /** The service, not a `PUT`, has disabled the webhook. */
  readonly 'webhook.disabled': ChangedObject<WebhookInEvent>;
}

/** New kinds may be added at any time: ignore unknown ones. */
export type EventKind = keyof EventData;

/** A change of a resource; `type` determines the type of `data`. SPEC §6.1 */
export type Event<Kind extends EventKind = EventKind> = {
  readonly [K in Kind]: {
    /** UUIDv7. Ids increase in the order of the feed, and each is a position in it. */
    readonly id: string;
    readonly type: K;
    /** RFC 3339 in UTC, with milliseconds. */
    readonly timestamp: string;
    /** The API version of `data`; may be older than the current one. */
    readonly api_version: string;
    readonly data: EventData[K];
  };
}[Kind];

import type { Item } from './item.js';
import type { Order } from './order.js';
import type { User } from './user.js';
import type { Webhook } from './webhook.js';

/**
 * Data of a creation or a deletion: the resource after the creation, or before the deletion. SPEC
 * §6.1
 */
export interface Told<T> {
  readonly object: T;
}

/** Data of a change: the new resource, and the previous values of the changed fields. SPEC §6.1 */
export interface ToldChange<T> extends Told<T> {
  readonly previous: Partial<T>;
}

/** The kinds of events of a collection and their data. */
export type CollectionEvents<Subject extends string, T> = {
  readonly [Kind in `${Subject}.created` | `${Subject}.deleted`]: Told<T>;
} & { readonly [Kind in `${Subject}.updated`]: ToldChange<T> };

/** A user in an event: without a name and without credentials. SPEC §6.1 */
export type UserInEvent = Pick<User, 'id' | 'role' | 'disabled' | 'created_at' | 'updated_at'>;

/** A webhook in an event: without its URL. SPEC §6.1 */
export type WebhookInEvent = Omit<Webhook, 'url' | 'secrets'>;

/** Each kind of event, and its `data`. SPEC §6.1 */
export interface EventData extends CollectionEvents<'item', Item>, CollectionEvents<'user', UserInEvent> {
  readonly 'order.created': Told<Order>;
  readonly 'order.confirmed': ToldChange<Order>;
  readonly 'order.shipped': ToldChange<Order>;
  readonly 'order.delivered': ToldChange<Order>;
  readonly 'order.cancelled': ToldChange<Order>;
  /** The service disabled the webhook. A `PUT` makes no such event. */
  readonly 'webhook.disabled': ToldChange<WebhookInEvent>;
}

/** A kind of event. New ones may come at any time: ignore unknown ones. */
export type EventKind = keyof EventData;

/** A change of a resource; `type` determines the type of `data`. SPEC §6.1 */
export type Event<Kind extends EventKind = EventKind> = {
  readonly [K in Kind]: {
    /** UUIDv7, in the order of the feed; serves as a position. */
    readonly id: string;
    readonly type: K;
    /** RFC 3339, UTC, milliseconds. */
    readonly timestamp: string;
    /** The API version of `data`. */
    readonly api_version: string;
    readonly data: EventData[K];
  };
}[Kind];

import type { Item } from './item.js';
import type { Order } from './order.js';
import type { User } from './user.js';
import type { Webhook } from './webhook.js';

/** What a creation or a deletion tells: the resource as it was made, or as it last was. SPEC §6.1 */
export interface Told<T> {
  readonly object: T;
}

/** What a change tells: the resource as it left it, and the former values of the fields that changed. SPEC §6.1 */
export interface ToldChange<T> extends Told<T> {
  readonly previous: Partial<T>;
}

/** The kinds of events of a collection, and what they tell. */
export type CollectionEvents<Subject extends string, T> = {
  readonly [Kind in `${Subject}.created` | `${Subject}.deleted`]: Told<T>;
} & { readonly [Kind in `${Subject}.updated`]: ToldChange<T> };

/** What an event tells of a user: no name, and nothing to sign in with. SPEC §6.1 */
export type UserInEvent = Pick<User, 'id' | 'role' | 'disabled' | 'created_at' | 'updated_at'>;

/** What an event tells of a webhook: not where it leads. SPEC §6.1 */
export type WebhookInEvent = Omit<Webhook, 'url' | 'secrets'>;

/** Each kind of event, and its `data`. SPEC §6.1 */
export interface EventData extends CollectionEvents<'item', Item>, CollectionEvents<'user', UserInEvent> {
  readonly 'order.created': Told<Order>;
  readonly 'order.confirmed': ToldChange<Order>;
  readonly 'order.shipped': ToldChange<Order>;
  readonly 'order.delivered': ToldChange<Order>;
  readonly 'order.cancelled': ToldChange<Order>;
  /** The service has disabled it; what a `PUT` does is not told. */
  readonly 'webhook.disabled': ToldChange<WebhookInEvent>;
}

/** A kind of event. New ones may come at any time: ignore those that you do not know. */
export type EventKind = keyof EventData;

/** What happened to a resource; its `type` says what `data` is. SPEC §6.1 */
export type Event<Kind extends EventKind = EventKind> = {
  readonly [K in Kind]: {
    /** UUIDv7; its order is that of the feed, and it is a place in it. */
    readonly id: string;
    readonly type: K;
    /** RFC 3339, UTC, milliseconds. */
    readonly timestamp: string;
    /** The version in whose form `data` is. */
    readonly api_version: string;
    readonly data: EventData[K];
  };
}[Kind];

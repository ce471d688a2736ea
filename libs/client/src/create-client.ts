import type { Item, ItemInput } from '@items/dtos/contract';
import { credentialOf } from './auth/credential-of.js';
import type { Credential } from './http/credential.js';
import type { ClientOptions } from './client-options.js';
import { collection, type Collection } from './collections/collection.js';
import type { Reach } from './collections/reach.js';
import { pathPart } from './collections/list-query.js';
import { feed, type AuditEvents, type Events } from './events/events.js';
import {
  allOrders,
  orders,
  secretCollection,
  sessions,
  users,
  type AllOrders,
  type ApiKeys,
  type Clients,
  type ItemFilters,
  type Items,
  type Orders,
  type Sessions,
  type Users,
} from './collections/resources.js';
import { exchange } from './http/exchange.js';
import { createTransport } from './http/transport.js';
import { settingsOf } from './settings.js';

export interface CollectionOptions {
  /** First part of the event types: `widget` of `widget.created`. */
  readonly events?: string | undefined;
}

/** One service with one credential. Functions do not use `this`. */
export interface ItemsClient {
  readonly items: Items;
  readonly users: Users;
  /** The id may be `me`. */
  orders(userId: string): Orders;
  readonly allOrders: AllOrders;
  readonly apiKeys: ApiKeys;
  readonly sessions: Sessions;
  readonly clients: Clients;
  readonly events: Events;
  readonly auditEvents: AuditEvents;
  /**
   * Returns any other collection of the service.
   * @param path `widgets`, or `users/me/grants`. Pass its last part as the third type argument to get typed pages.
   * @param options `events` is required for a replica.
   */
  collection<T extends object, Input = Partial<T>, Name extends string = string>(
    path: string,
    options?: CollectionOptions,
  ): Collection<Name, T, Input>;
}

/**
 * Sends nothing yet.
 * @throws {TypeError} An option is invalid, or a credential would be sent over plain HTTP. SPEC §5, §8
 */
export function createClient(options: ClientOptions): ItemsClient {
  const settings = settingsOf(options);
  // A cycle: the credential fetches tokens with `send`, and `send` removes the secrets of the credential from errors.
  const held: { credential?: Credential } = {};
  const send = exchange(settings, () => held.credential?.secrets() ?? []);
  if (options.auth !== undefined) held.credential = credentialOf(options.auth, send, settings);

  const reach: Reach = { ...settings, transport: createTransport(settings, held.credential, send) };
  return {
    items: collection<'items', Item, ItemInput, ItemFilters>(reach, 'items', 'item'),
    users: users(reach),
    orders: (userId) => orders(reach, userId),
    allOrders: allOrders(reach),
    apiKeys: secretCollection(reach, 'api-keys'),
    sessions: sessions(reach, send),
    events: feed(reach, 'events'),
    auditEvents: feed(reach, 'audit_events'),
    clients: secretCollection(reach, 'clients'),
    collection: (path, { events } = {}) => collection(reach, path.split('/').map(pathPart).join('/'), events),
  };
}

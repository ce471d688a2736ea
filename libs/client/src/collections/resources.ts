import type {
  ApiKey,
  ApiKeyInput,
  Client,
  ClientInput,
  CreatedApiKey,
  CreatedClient,
  CreatedSession,
  Item,
  ItemInput,
  Order,
  OrderInput,
  OrderStatus,
  PasswordChange,
  Role,
  RotationInput,
  Session,
  SessionInput,
  Transition,
  User,
  UserInput,
} from '@items/dtos/contract';
import { login } from '../auth/token-sources.js';
import { apiCall, type ApiCall, emptyCall } from '../calls/api-call.js';
import type { CallOptions, CreateOptions } from '../client-options.js';
import { wasRefused } from '../errors/items-api-error.js';
import type { Send } from '../http/outgoing-request.js';
import { randomKey } from '../http/random-key.js';
import { retrying } from '../http/retry.js';
import { collection, create, type Collection } from './collection.js';
import { pathPart, type Beginning, type Between, type Filters, type OneOrMore } from './list-query.js';
import { lists, type Lists } from './lists.js';
import { describeSource, type Reach } from './reach.js';

export interface ItemFilters
  extends Beginning<'name' | 'color'>, Between<'price', number>, Between<'created_at' | 'updated_at', string> {
  readonly color?: OneOrMore<string> | undefined;
}

export type Items = Collection<'items', Item, ItemInput, ItemFilters>;

export interface UserFilters extends Beginning<'username'>, Between<'created_at', string> {
  readonly role?: OneOrMore<Role> | undefined;
  readonly disabled?: boolean | undefined;
}

/** `/users`. SPEC §2 */
export interface Users extends Collection<'users', User, UserInput, UserFilters> {
  /** Returns the user of the credential. @throws {NotFoundError} The credential belongs to no user. */
  me(options?: CallOptions): ApiCall<User>;
  /**
   * Changes the password of the current user and ends the user's other sessions. Not repeated if the response is lost,
   * because the current password would be wrong the second time. A client that logs in with the old password must be
   * replaced.
   */
  setPassword(change: PasswordChange, options?: CallOptions): ApiCall<void>;
}

export function users(reach: Reach): Users {
  const all = collection<'users', User, UserInput, UserFilters>(reach, 'users');
  return {
    ...all,
    me: (options) => all.get('me', options),
    setPassword: (input, options) => {
      const call = { method: 'PUT', path: 'users/me/password', input, isEmpty: true, repeat: 'refused' } as const;
      return emptyCall(async () => reach.transport({ ...options, ...call }));
    },
  };
}

export interface OrderFilters extends Between<'total', number>, Between<'created_at' | 'updated_at', string> {
  readonly status?: OneOrMore<OrderStatus> | undefined;
}

export interface AllOrderFilters extends OrderFilters {
  readonly user_id?: OneOrMore<string> | undefined;
}

/** `/users/{user_id}/orders`. Orders change only by transitions, and cannot be deleted. SPEC §3 */
export interface Orders extends Pick<
  Collection<'orders', Order, OrderInput, OrderFilters>,
  'create' | 'get' | 'page' | 'walk'
> {
  /** Changes the status. @throws {ConflictError} The current status does not allow it. */
  transition(id: string, to: OrderStatus, options?: CreateOptions): ApiCall<Transition>;
}

/** `GET /orders`, for administrators. SPEC §3 */
export type AllOrders = Lists<'orders', Order, AllOrderFilters>;

/** @param userId An id, or `me`. */
export function orders(reach: Reach, userId: string): Orders {
  const path = `users/${pathPart(userId)}/orders`;
  return {
    ...collection<'orders', Order, OrderInput, OrderFilters>(reach, path),
    transition: (id, to, options) => create(reach.transport, `${path}/${pathPart(id)}/transitions`, { to }, options),
  };
}

export function allOrders(reach: Reach): AllOrders {
  return describeSource(lists(reach.transport, 'orders', 'orders'), { reach, path: 'orders', events: 'order' });
}

/** Only the responses to creation and rotation contain the secret. SPEC §5.3 */
export interface SecretCollection<Name extends string, T, Input, Created, F = Filters> extends Collection<
  Name,
  T,
  Input,
  F,
  Created
> {
  /**
   * Creates a new secret. The previous secret stays valid for a while.
   * @throws {ConflictError} `secret_not_replayable`: the response with the new secret was lost. Rotate again.
   */
  rotate(id: string, input?: RotationInput, options?: CreateOptions): ApiCall<Created>;
}

export type ApiKeyFilters = Between<'created_at' | 'last_used_at', string>;
export type ClientFilters = Beginning<'name'> & Between<'created_at' | 'updated_at', string>;

/** `/api-keys`. SPEC §5 */
export type ApiKeys = SecretCollection<'api_keys', ApiKey, ApiKeyInput, CreatedApiKey, ApiKeyFilters>;
/** `/clients`: applications that ask users for their consent. SPEC §5 */
export type Clients = SecretCollection<'clients', Client, ClientInput, CreatedClient, ClientFilters>;

export function secretCollection<Name extends string, T extends object, Input, Created extends object, F>(
  reach: Reach,
  path: string,
): SecretCollection<Name, T, Input, Created, F> {
  return {
    ...collection<Name, T, Input, F, Created>(reach, path),
    rotate: (id, input = {}, options) => create(reach.transport, `${path}/${pathPart(id)}/rotations`, input, options),
  };
}

export type SessionFilters = Between<'created_at' | 'last_used_at', string>;

/** `/sessions`: the logins of users. SPEC §5 */
export interface Sessions extends Pick<
  Collection<'sessions', Session, SessionInput, SessionFilters>,
  'page' | 'walk' | 'delete'
> {
  /**
   * Logs in without the credential of the client. Pass the result as `auth: { session: { tokens } }`. Not repeated if
   * the response is lost.
   */
  create(input: SessionInput, options?: CallOptions & Pick<CreateOptions, 'idempotencyKey'>): ApiCall<CreatedSession>;
}

export function sessions(reach: Reach, send: Send): Sessions {
  return {
    ...collection<'sessions', Session, SessionInput, SessionFilters>(reach, 'sessions'),
    create: (input, { idempotencyKey = randomKey(), signal = reach.signal, ...options } = {}) =>
      apiCall(async () =>
        retrying(reach.retry, signal, () => login(input, idempotencyKey, { ...options, signal }, send), wasRefused),
      ),
  };
}

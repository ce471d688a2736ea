export type { Auth, PasswordSession, Tokens, TokenSession } from './auth/auth.js';
export type {
  CacheOptions,
  CallOptions,
  ClientOptions,
  ConditionalOptions,
  CreateOptions,
  RequestEvent,
  ResponseEvent,
  RetryOptions,
} from './client-options.js';
export type { Collection } from './collections/collection.js';
export { etagOf } from './collections/etag-of.js';
export type { CursorQuery, Filters, OffsetQuery, OneOrMore, WalkQuery } from './collections/list-query.js';
export type { Lists, UnnamedPage } from './collections/lists.js';
export type { AllOrderFilters, AllOrders, OrderFilters, Orders } from './collections/orders.js';
export type { ApiKeys, Clients, SecretCollection } from './collections/secrets.js';
export type { Sessions } from './collections/sessions.js';
export type { UserFilters, Users } from './collections/users.js';
export type { EventPage, EventQuery, Events, EventType } from './events/events.js';
export type { FollowedEvent, FollowOptions } from './events/follow.js';
export { createClient } from './create-client.js';
export type { ItemFilters, Items, ItemsClient } from './create-client.js';
export {
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ExpiredCursorError,
  ItemsApiError,
  NotFoundError,
  PermissionError,
  PreconditionFailedError,
  RateLimitError,
  ServerError,
  ValidationError,
} from './errors/items-api-error.js';
export type { OAuthErrorCode } from './errors/items-api-error.js';
export { ItemsNetworkError } from './errors/items-network-error.js';
export type { Event, EventKind } from '@items/contracts';
export { isCode } from '@items/conventions';
export type { ErrorCode, ErrorDetail } from '@items/conventions';

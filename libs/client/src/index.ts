export type { Auth, PasswordSession, Tokens, TokenSession } from './auth/auth.js';
export type { ApiCall, WithResponse } from './calls/api-call.js';
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
export { etagOf } from './calls/etag-of.js';
export type {
  Beginning,
  Between,
  CursorQuery,
  Filters,
  OffsetQuery,
  OneOrMore,
  WalkQuery,
} from './collections/list-query.js';
export type { Lists, UnnamedPage } from './collections/lists.js';
export type { AllOrderFilters, AllOrders, OrderFilters, Orders } from './collections/orders.js';
export type { ApiKeyFilters, ApiKeys, ClientFilters, Clients, SecretCollection } from './collections/secrets.js';
export type { SessionFilters, Sessions } from './collections/sessions.js';
export type { UserFilters, Users } from './collections/users.js';
export type { AuditEvents, AuditPage, AuditQuery, EventPage, EventQuery, Events, EventType } from './events/events.js';
export type { AuditFollowOptions, FollowedEvent, FollowOptions } from './events/follow.js';
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
export type {
  ApiKey,
  ApiKeyInput,
  AuditActor,
  AuditEvent,
  Client,
  ClientInput,
  CreatedApiKey,
  CreatedClient,
  CreatedSession,
  CreatedWebhook,
  Delivery,
  DeliveryAttempt,
  DeliveryStatus,
  Event,
  EventData,
  EventKind,
  Grant,
  GrantType,
  Item,
  ItemInput,
  Order,
  OrderInput,
  OrderLine,
  OrderLineInput,
  OrderStatus,
  PasswordChange,
  Role,
  RotationInput,
  Scope,
  Session,
  SessionInput,
  Transition,
  User,
  UserInput,
  Webhook,
  WebhookInput,
} from '@items/dtos/contract';
export { isCode } from '@items/conventions';
export type { CursorPage, ErrorBody, ErrorCode, ErrorDetail, ErrorParams, OffsetPage } from '@items/conventions';

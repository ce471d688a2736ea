export type { Auth, Tokens } from './auth/auth.js';
export type { ApiCall, WithResponse } from './calls/api-call.js';
export type { CallOptions, ClientOptions, RequestEvent, ResponseEvent } from './client-options.js';
export type { Collection } from './collections/collection.js';
export type { ItemFilters } from './collections/resources.js';
export { etagOf } from './http/etag-of.js';
export type { AuditPage, EventPage } from './events/events.js';
export type { FollowedEvent } from './events/follow.js';
export { createClient } from './create-client.js';
export type { ItemsClient } from './create-client.js';
export {
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ExpiredCursorError,
  ItemsApiError,
  ItemsNetworkError,
  NotFoundError,
  PermissionError,
  PreconditionFailedError,
  RateLimitError,
  ServerError,
  ValidationError,
} from './errors/items-api-error.js';
export type {
  ApiKey,
  ApiKeyInput,
  AuditEvent,
  Client,
  ClientInput,
  CreatedApiKey,
  CreatedClient,
  CreatedSession,
  CreatedWebhook,
  Delivery,
  Event,
  EventKind,
  Grant,
  Item,
  ItemInput,
  Order,
  OrderInput,
  OrderStatus,
  Role,
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
export type { CursorPage, ErrorBody, ErrorCode, ErrorDetail, OffsetPage } from '@items/conventions';

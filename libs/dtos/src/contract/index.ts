export type { AuditEvent } from './audit-event.js';
export type { ApiKey, ApiKeyInput, ApiKeySecret, CreatedApiKey, RotationInput } from './api-key.js';
export { API_VERSION, API_VERSIONS } from './api-version.js';
export { GRANT_TYPES } from './client.js';
export type { Client, ClientInput, CreatedClient, GrantType } from './client.js';
export type { Event, EventKind } from './event.js';
export type { Item, ItemInput } from './item.js';
export { ORDER_STATUSES, ORDER_TRANSITIONS, STAFF_STATUSES } from './order.js';
export type {
  Order,
  OrderInput,
  OrderLine,
  OrderLineInput,
  OrderStatus,
  Transition,
  TransitionInput,
} from './order.js';
export { isScope, ROLE_SCOPES, roleScopesOf, ROLES, SCOPES, SERVICE_SCOPES } from './scope.js';
export type { Role, Scope } from './scope.js';
export type { Identity, PasswordChange, User, UserInput } from './user.js';
export type {
  CreatedWebhook,
  Delivery,
  DeliveryAttempt,
  DeliveryStatus,
  DisabledReason,
  Replay,
  ReplayInput,
  Webhook,
  WebhookInput,
  WebhookSecret,
} from './webhook.js';
export type { CreatedSession, Grant, Session, SessionInput } from './session.js';

export type { ApiKey, ApiKeyInput, ApiKeySecret, CreatedApiKey, RateLimit, RotationInput } from './api-key.js';
export { GRANT_TYPES } from './client.js';
export type { Client, ClientInput, CreatedClient, GrantType } from './client.js';
export type { ErrorBody, ErrorDetail } from './error-body.js';
export type { Grant } from './grant.js';
export { API_VERSION, HEADER, MAX_BODY_BYTES, MAX_IDEMPOTENCY_KEY_LENGTH, SUPPORTED_API_VERSIONS } from './http.js';
export type { Item, ItemInput } from './item.js';
export { fromCents, MAX_AMOUNT, toCents } from './money.js';
export { ORDER_STATUSES, ORDER_TRANSITIONS } from './order.js';
export type {
  Order,
  OrderInput,
  OrderLine,
  OrderLineInput,
  OrderStatus,
  Transition,
  TransitionInput,
} from './order.js';
export { DEFAULT_PAGE_SIZE, MAX_CURSOR_LENGTH, MAX_PAGE_SIZE } from './page.js';
export type { CursorPage, OffsetPage } from './page.js';
export { ROLE_SCOPES, ROLES } from './role.js';
export type { Role } from './role.js';
export { isScope, SCOPES } from './scope.js';
export type { Scope } from './scope.js';
export type { PasswordChange, User, UserInput } from './user.js';
export type { CreatedSession, Session, SessionInput } from './session.js';

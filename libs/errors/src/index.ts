export { ApiError } from './api-error.js';
export type { ApiErrorOptions } from './api-error.js';
export {
  AmbiguousCredentialError,
  CredentialInUrlError,
  DelegatedCredentialError,
  HttpsRequiredError,
  InsufficientScopeError,
  NarrowedLoginError,
  NotOwnerError,
  OriginNotAllowedError,
  QuotaEscalationError,
  RateLimitedError,
  ScopeEscalationError,
  TooManyFailuresError,
  UnauthorizedError,
} from './access-errors.js';
export {
  BodyTooLargeError,
  EndedVersionError,
  ExpectationFailedError,
  ExpiredCursorError,
  HeadersTooLargeError,
  InvalidCursorError,
  InvalidHeaderError,
  InvalidQueryError,
  InvalidRangeError,
  MalformedBodyError,
  MalformedRequestError,
  RequestTimeoutError,
  TooManyValuesError,
  UnsupportedMediaTypeError,
  UnsupportedVersionError,
} from './request-errors.js';
export {
  ConflictError,
  IdempotencyKeyReusedError,
  MethodNotAllowedError,
  NoOwnUserError,
  PreconditionFailedError,
  ResourceNotFoundError,
  RouteNotFoundError,
} from './resource-errors.js';
export { InternalError, ServiceUnavailableError } from './service-errors.js';
export { MAX_DETAILS, ValidationError } from './validation-error.js';
export { sizeInWords } from './size-in-words.js';
export { shownName } from './shown-name.js';

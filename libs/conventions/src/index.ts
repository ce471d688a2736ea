export { thenMaybe, isPromise } from './maybe-promise.js';
export type { MaybePromise } from './maybe-promise.js';
export type { ErrorBody, ErrorDetail, ErrorParams } from './error-body.js';
export { ERROR_CODES, isCode } from './error-code.js';
export type { ErrorCode } from './error-code.js';
export { FairQueue } from './fair-queue.js';
export { HEADER, MAX_BODY_BYTES, MAX_CREDENTIAL_BODY_BYTES, MAX_IDEMPOTENCY_KEY_LENGTH } from './http.js';
export type { RateLimit } from './http.js';
export { isMarked, VALIDATION_ERROR } from './marked.js';
export { fromCents, MAX_AMOUNT, toCents } from './money.js';
export { DEFAULT_PAGE_SIZE, MAX_CURSOR_LENGTH, MAX_PAGE_BYTES, MAX_PAGE_SIZE } from './page.js';
export type { CursorPage, OffsetPage } from './page.js';
export { parseQuery } from './query.js';
export type { QueryPair } from './query.js';
export type { ReleasedVersion } from './released-version.js';
export { lowerCaseUuid } from './uuid.js';
export { ApiError } from './errors/api-error.js';
export {
  BodyTooLargeError,
  ConflictError,
  ExpiredCursorError,
  ForbiddenError,
  HeadersTooLargeError,
  IdempotencyKeyReusedError,
  InsufficientScopeError,
  InternalError,
  InvalidCursorError,
  InvalidHeaderError,
  InvalidQueryError,
  InvalidRangeError,
  MalformedBodyError,
  MalformedRequestError,
  MethodNotAllowedError,
  NoOwnUserError,
  NotFoundError,
  NotOwnerError,
  PreconditionFailedError,
  RateLimitedError,
  RequestTimeoutError,
  ResourceNotFoundError,
  RouteNotFoundError,
  ServiceUnavailableError,
  TooManyValuesError,
  UnauthorizedError,
  UnsupportedMediaTypeError,
  WeakEtagError,
} from './errors/errors.js';
export { MAX_DETAILS, OMITTED_MEMBERS, type OmittedMembers, ValidationError } from './errors/validation-error.js';
export { sizeInWords } from './errors/size-in-words.js';
export { shownName } from './errors/shown-name.js';

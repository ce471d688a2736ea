export type { ErrorBody, ErrorDetail } from './error-body.js';
export { ERROR_CODES, isCode, STATUS_CODES } from './error-code.js';
export type { ErrorCode, NotFoundCode } from './error-code.js';
export { HEADER, MAX_BODY_BYTES, MAX_CREDENTIAL_BODY_BYTES, MAX_IDEMPOTENCY_KEY_LENGTH } from './http.js';
export type { RateLimit } from './http.js';
export { fromCents, MAX_AMOUNT, toCents } from './money.js';
export { DEFAULT_PAGE_SIZE, MAX_CURSOR_LENGTH, MAX_PAGE_SIZE } from './page.js';
export type { CursorPage, OffsetPage } from './page.js';
export type { ReleasedVersion, VersionEnd } from './released-version.js';

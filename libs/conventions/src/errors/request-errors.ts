import { type ErrorParams } from '../error-body.js';
import { MAX_BODY_BYTES } from '../http.js';
import { ApiError } from './api-error.js';
import { sizeInWords } from './size-in-words.js';

/** 400: the request is not valid HTTP. RFC 9112 */
export class MalformedRequestError extends ApiError {
  override readonly status = 400;
  override readonly code = 'malformed_request';
}

/** 400: the body is not valid JSON (RFC 8259, RFC 7493). SPEC §4 rule 6 */
export class MalformedBodyError extends ApiError {
  override readonly status = 400;
  override readonly code = 'malformed_body';
}

/** 400: a query parameter is unknown, repeated, or has an invalid value. SPEC §4 */
export class InvalidQueryError extends ApiError {
  override readonly status = 400;
  override readonly code = 'invalid_query';

  constructor(parameter: string, code: string, message: string, params?: ErrorParams) {
    super(message, { details: [{ field: parameter, code, message, ...(params !== undefined && { params }) }] });
  }
}

/** 400: the filters have too many combinations of values. SPEC §4.1 */
export class TooManyValuesError extends ApiError {
  override readonly status = 400;
  override readonly code = 'too_many_values';

  constructor(max: number) {
    super(`The filters have more than ${String(max)} combinations of values: ask for fewer values in each request.`);
  }
}

/** 400: the range cannot be combined with the rest of the query. SPEC §4.1 */
export class InvalidRangeError extends ApiError {
  override readonly status = 400;
  override readonly code = 'invalid_range';

  constructor(parameter: string, code: string, message: string) {
    super(message, { details: [{ field: parameter, code, message }] });
  }
}

export class InvalidHeaderError extends ApiError {
  override readonly status = 400;
  override readonly code = 'invalid_header';
}

/** 400: the cursor is forged, cut, or of another collection, filter or sort. SPEC §4 Cursor rules */
export class InvalidCursorError extends ApiError {
  override readonly status = 400;
  override readonly code = 'invalid_cursor';

  constructor() {
    super('The cursor is not one that this list has issued; repeat the request without "cursor" to start again.');
  }
}

/** 400: the snapshot of the walk is no longer retained. SPEC §4 Cursor rules */
export class ExpiredCursorError extends ApiError {
  override readonly status = 400;
  override readonly code = 'expired_cursor';

  constructor(message = 'The cursor has expired; the walk must restart: repeat the request without "cursor".') {
    super(message);
  }
}

/** 408: the request did not arrive in time. */
export class RequestTimeoutError extends ApiError {
  override readonly status = 408;
  override readonly code = 'request_timeout';

  constructor() {
    super('The request did not arrive completely in time.');
  }
}

/** 413: the body exceeds {@link MAX_BODY_BYTES} or `MAX_CREDENTIAL_BODY_BYTES`. SPEC §8, §4.5 */
export class BodyTooLargeError extends ApiError {
  override readonly status = 413;
  override readonly code = 'body_too_large';

  /** @param limit in bytes, a multiple of 1024; or the sentence, if the limit is unknown. */
  constructor(limit: number | string = MAX_BODY_BYTES) {
    super(typeof limit === 'string' ? limit : `The request body is larger than ${sizeInWords(limit)}.`);
  }
}

/** 415: the media type or content coding is not plain JSON. */
export class UnsupportedMediaTypeError extends ApiError {
  override readonly status = 415;
  override readonly code = 'unsupported_media_type';

  constructor(message = 'The request body must be JSON: send "Content-Type: application/json".') {
    super(message, { headers: { accept: 'application/json', 'accept-encoding': 'identity' } });
  }
}

/** 431: the header section is too large. RFC 6585 §5 */
export class HeadersTooLargeError extends ApiError {
  override readonly status = 431;
  override readonly code = 'headers_too_large';

  constructor() {
    super('The request line and headers are larger than 16 KiB.');
  }
}

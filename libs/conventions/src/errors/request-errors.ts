import { type ErrorParams } from '../error-body.js';
import { MAX_BODY_BYTES } from '../http.js';

import { ApiError } from './api-error.js';
import { sizeInWords } from './size-in-words.js';

/** 400: the request is not HTTP, or not encoded as HTTP asks. RFC 9112 */
export class MalformedRequestError extends ApiError {
  override readonly status = 400;
  override readonly code = 'malformed_request';
}

/** 400: the body is not JSON as RFC 8259 and RFC 7493 (I-JSON) have it. SPEC §4 rule 6 */
export class MalformedBodyError extends ApiError {
  override readonly status = 400;
  override readonly code = 'malformed_body';
}

/** 400: a query parameter that is unknown, given twice, or has a value it cannot have. SPEC §4 */
export class InvalidQueryError extends ApiError {
  override readonly status = 400;
  override readonly code = 'invalid_query';

  /** @param params what the value has missed, where the code has such. */
  constructor(parameter: string, code: string, message: string, params?: ErrorParams) {
    super(message, { details: [{ field: parameter, code, message, ...(params !== undefined && { params }) }] });
  }
}

/** 400: a list was asked for with more combinations of filter values than it reads. SPEC §4.1 */
export class TooManyValuesError extends ApiError {
  override readonly status = 400;
  override readonly code = 'too_many_values';

  /** @param max combinations, at least 1. */
  constructor(max: number) {
    super(`The filters have more than ${String(max)} combinations of values: ask for fewer values in each request.`);
  }
}

/** 400: a list cannot be narrowed to the range together with the rest of the request. SPEC §4.1 */
export class InvalidRangeError extends ApiError {
  override readonly status = 400;
  override readonly code = 'invalid_range';

  constructor(parameter: string, code: string, message: string) {
    super(message, { details: [{ field: parameter, code, message }] });
  }
}

/** 400: a header whose value cannot be used. */
export class InvalidHeaderError extends ApiError {
  override readonly status = 400;
  override readonly code = 'invalid_header';
}

/** 400: forged, cut, or made for another collection, filter or sort. SPEC §4 Cursor rules */
export class InvalidCursorError extends ApiError {
  override readonly status = 400;
  override readonly code = 'invalid_cursor';

  constructor() {
    super('The cursor is not one that this list has issued; repeat the request without "cursor" to start again.');
  }
}

/** 400: the walk is older than its snapshot is kept. SPEC §4 Cursor rules */
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

/** 413: a body beyond {@link MAX_BODY_BYTES}, or `MAX_CREDENTIAL_BODY_BYTES`. SPEC §8, §4.5 */
export class BodyTooLargeError extends ApiError {
  override readonly status = 413;
  override readonly code = 'body_too_large';

  /** @param limit in bytes, a multiple of 1024; or a sentence, where the limit is somebody else's and not known. */
  constructor(limit: number | string = MAX_BODY_BYTES) {
    super(typeof limit === 'string' ? limit : `The request body is larger than ${sizeInWords(limit)}.`);
  }
}

/** 415: a body in another media type or content coding than plain JSON. */
export class UnsupportedMediaTypeError extends ApiError {
  override readonly status = 415;
  override readonly code = 'unsupported_media_type';

  constructor(message = 'The request body must be JSON: send "Content-Type: application/json".') {
    super(message, { headers: { accept: 'application/json', 'accept-encoding': 'identity' } });
  }
}

/** 431: more header than the service reads. RFC 6585 §5 */
export class HeadersTooLargeError extends ApiError {
  override readonly status = 431;
  override readonly code = 'headers_too_large';

  constructor() {
    super('The request line and headers are larger than 16 KiB.');
  }
}

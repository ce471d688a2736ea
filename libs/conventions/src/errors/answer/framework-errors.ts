import type { ApiError } from '../api-error.js';
import {
  BodyTooLargeError,
  HeadersTooLargeError,
  MalformedBodyError,
  MalformedRequestError,
  RequestTimeoutError,
  UnsupportedMediaTypeError,
} from '../request-errors.js';
import { RouteNotFoundError } from '../resource-errors.js';
import { StatusError } from './status-error.js';

const TOO_LARGE = 'The request body is too large.';

const BY_NAME: ReadonlyMap<string, () => ApiError> = new Map(
  Object.entries({
    FST_ERR_BAD_URL: () => new MalformedRequestError('The path is not correctly percent-encoded UTF-8.'),
    FST_ERR_MAX_PARAM_LENGTH: () => new RouteNotFoundError(),
    FST_ERR_NOT_FOUND: () => new RouteNotFoundError(),
    FST_ERR_CTP_BODY_TOO_LARGE: () => new BodyTooLargeError(TOO_LARGE),
    FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new UnsupportedMediaTypeError(),
    FST_ERR_CTP_EMPTY_JSON_BODY: () => new MalformedBodyError('The request body is empty; it must be JSON.'),
    FST_ERR_CTP_INVALID_JSON_BODY: () => new MalformedBodyError('The request body is not valid JSON.'),
    FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => new MalformedBodyError('The request body is not as long as declared.'),
    'entity.parse.failed': () => new MalformedBodyError('The request body is not valid JSON.'),
    'entity.too.large': () => new BodyTooLargeError(TOO_LARGE),
    'request.size.invalid': () => new MalformedBodyError('The request body is not as long as declared.'),
    'request.aborted': () => new MalformedBodyError('The request body ended before it was complete.'),
  }),
);

export function frameworkError(thrown: unknown): ApiError | undefined {
  if (!isRecord(thrown)) return undefined;
  const known = BY_NAME.get(textOf(thrown, 'code')) ?? BY_NAME.get(textOf(thrown, 'type'));
  if (known !== undefined) return known();
  return thrown['status'] === 400 || thrown['statusCode'] === 400 ? unreadable(thrown) : undefined;
}

/** Express and secure-json-parse mark an unreadable path or body only by the class of the error. */
function unreadable(thrown: object): ApiError | undefined {
  if (thrown instanceof URIError) return new MalformedRequestError('The path is not correctly percent-encoded UTF-8.');
  return thrown instanceof SyntaxError ? new MalformedBodyError('The request body is not valid JSON.') : undefined;
}

/**
 * Errors of Fastify and http-errors have their own status.
 * @returns undefined also for faults of the server, whose sentences are for the log.
 */
export function refusal(thrown: unknown): ApiError | undefined {
  if (!isRecord(thrown) || (thrown['expose'] !== true && thrown['name'] !== 'FastifyError')) return undefined;
  const status = thrown['statusCode'];
  if (typeof status !== 'number' || !(status >= 400 && status < 500)) return undefined;
  return new StatusError({ status, message: textOf(thrown, 'message'), cause: thrown });
}

/**
 * Converts an error that `clientError` receives. The same error of a handler would be the fault of an upstream server.
 */
export function parserError(thrown: unknown): ApiError | undefined {
  const code = isRecord(thrown) ? textOf(thrown, 'code') : '';
  if (code === 'HPE_HEADER_OVERFLOW') return new HeadersTooLargeError();
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new RequestTimeoutError();
  return code.startsWith('HPE_') ? new MalformedRequestError('The request is not valid HTTP/1.1.') : undefined;
}

export function isRecord(thing: unknown): thing is Readonly<Record<string, unknown>> {
  return (typeof thing === 'object' && thing !== null) || typeof thing === 'function';
}

export function textOf(record: Readonly<Record<string, unknown>>, name: string): string {
  const value = record[name];
  return typeof value === 'string' ? value : '';
}

import type { ErrorDetail } from '../../error-body.js';
import { type ErrorCode, STATUS_CODES } from '../../error-code.js';
import { ApiError } from '../api-error.js';
import {
  BodyTooLargeError,
  HeadersTooLargeError,
  InternalError,
  MalformedBodyError,
  MalformedRequestError,
  RequestTimeoutError,
  RouteNotFoundError,
  UnsupportedMediaTypeError,
} from '../errors.js';
import { shownName } from '../shown-name.js';
import { MAX_DETAILS } from '../validation-error.js';

/** Converts any value that a handler throws, and any error of Node's HTTP parser. SPEC §7 */
export function toApiError(thrown: unknown): ApiError {
  return parserError(thrown) ?? thrownError(thrown);
}

/**
 * Converts unknown errors to a 500 with the original as `cause`, for the log. Avoids `instanceof` for errors of
 * packages, because an app may have two copies of a package.
 */
export function thrownError(thrown: unknown): ApiError {
  if (isApiError(thrown)) return thrown;
  if (isHttpException(thrown)) return fromHttpException(thrown);
  return frameworkError(thrown) ?? refusal(thrown) ?? new InternalError(thrown);
}

function isApiError(thrown: unknown): thrown is ApiError {
  return isRecord(thrown) && typeof thrown['status'] === 'number' && typeof thrown['toBody'] === 'function';
}

/**
 * Converts an error of Node's event `clientError`. `thrownError` does not: in a handler, such codes come from an
 * upstream server.
 */
function parserError(thrown: unknown): ApiError | undefined {
  const code = isRecord(thrown) ? textOf(thrown, 'code') : '';
  if (code === 'HPE_HEADER_OVERFLOW') return new HeadersTooLargeError();
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new RequestTimeoutError();
  return code.startsWith('HPE_') ? new MalformedRequestError('The request is not valid HTTP/1.1.') : undefined;
}

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
 * Converts a 4xx error of Fastify or http-errors.
 * @returns undefined for any other error. The message of a 5xx belongs in the log only.
 */
function refusal(thrown: unknown): ApiError | undefined {
  if (!isRecord(thrown) || (thrown['expose'] !== true && thrown['name'] !== 'FastifyError')) return undefined;
  const status = thrown['statusCode'];
  if (typeof status !== 'number' || !(status >= 400 && status < 500)) return undefined;
  return new StatusError({ status, message: textOf(thrown, 'message'), cause: thrown });
}

/** A Nest `HttpException`, from any copy or version of @nestjs/common. */
interface HttpExceptionLike {
  readonly message?: string;
  readonly cause?: unknown;
  getStatus(): number;
  getResponse(): unknown;
}

function isHttpException(thrown: unknown): thrown is HttpExceptionLike {
  return isRecord(thrown) && typeof thrown['getStatus'] === 'function' && typeof thrown['getResponse'] === 'function';
}

/**
 * A list of messages, as a `ValidationPipe` throws it, becomes one message with a detail for each identifiable field.
 */
function fromHttpException(exception: HttpExceptionLike): ApiError {
  const known = frameworkError(exception.cause);
  if (known !== undefined) return known;
  const status = statusOf(exception);
  const response = exception.getResponse();
  const answer = isRecord(response) ? response : { message: response };
  const shared = { status, code: codeIn(answer), cause: exception };
  if (Array.isArray(answer['message'])) return new StatusError({ ...shared, ...messageList(answer['message']) });
  const message = textOf(answer, 'message') || textOf(answer, 'error') || (exception.message ?? '');
  if (status === 404 && /^Cannot [A-Z-]+ \//.test(message)) return new RouteNotFoundError();
  return new StatusError({ ...shared, message });
}

function statusOf(exception: HttpExceptionLike): number {
  const status = exception.getStatus();
  return Number.isInteger(status) && status >= 300 && status <= 599 ? status : 500;
}

/** Nest 12 names the code `errorCode`. Ignores codes that are not snake_case. */
function codeIn(answer: Readonly<Record<string, unknown>>): string | undefined {
  return [textOf(answer, 'code'), textOf(answer, 'errorCode')].find((code) => /^[a-z][a-z0-9_]{0,63}$/.test(code));
}

const MAX_SENTENCES = 3;
const UNKNOWN = /^property (\S{1,200}) should not exist$/;
/** Messages of class-validator begin with the path of the field, or with one of these phrases and then the path. */
const ABOUT =
  /^(?:nested property |each value in (?:nested property )?)?([A-Za-z_$][\w$.-]{0,199}) (?:must|should|is|has|can|may|does|contains) /;

/** Finds the field of each sentence of a `ValidationPipe`. @returns `details` sorted by field, at most 20. */
export function messageList(list: readonly unknown[]): { message: string; details: readonly ErrorDetail[] } {
  const sentences = list.filter((message) => typeof message === 'string' && message !== '') as readonly string[];
  const shown = sentences.slice(0, MAX_SENTENCES).join('; ');
  const hidden = sentences.length - MAX_SENTENCES;
  const message =
    shown === '' ? 'The request is not valid.' : `${shown}${hidden > 0 ? `; and ${String(hidden)} more` : ''}.`;
  const details = sentences.flatMap(detailOf).sort((a, b) => (a.field < b.field ? -1 : Number(a.field > b.field)));
  return { message, details: details.slice(0, MAX_DETAILS) };
}

function detailOf(message: string): ErrorDetail[] {
  const unknown = UNKNOWN.exec(message)?.[1];
  if (unknown !== undefined) return [{ field: shownName(unknown), code: 'unknown_field', message }];
  const field = ABOUT.exec(message)?.[1];
  return field === undefined ? [] : [{ field, code: 'invalid', message }];
}

interface StatusErrorOptions {
  readonly status: number;
  readonly message: string;
  /** Default: the code of the status. */
  readonly code?: string | undefined;
  readonly details?: readonly ErrorDetail[];
  readonly cause?: unknown;
}

/** A foreign error, such as a Nest exception. RFC 9110 §15 */
class StatusError extends ApiError {
  override readonly status: number;
  override readonly code: string;

  constructor({ status, message, code, details, cause }: StatusErrorOptions) {
    super(message, { cause, ...(details && { details }) });
    this.status = status;
    this.code = code ?? codeOfStatus(status);
  }
}

function codeOfStatus(status: number): ErrorCode {
  const codes: Readonly<Record<number, ErrorCode>> = STATUS_CODES;
  return codes[status] ?? (status < 500 ? 'bad_request' : 'internal_error');
}

function isRecord(thing: unknown): thing is Readonly<Record<string, unknown>> {
  return (typeof thing === 'object' && thing !== null) || typeof thing === 'function';
}

function textOf(record: Readonly<Record<string, unknown>>, name: string): string {
  const value = record[name];
  return typeof value === 'string' ? value : '';
}

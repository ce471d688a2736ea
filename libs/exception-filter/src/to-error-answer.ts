import {
  ApiError,
  BodyTooLargeError,
  HeadersTooLargeError,
  InternalError,
  MalformedBodyError,
  MalformedRequestError,
  RequestTimeoutError,
  RouteNotFoundError,
  ServiceUnavailableError,
  UnsupportedMediaTypeError,
} from '@items/errors';
import { HttpException } from '@nestjs/common';

/** An error as it goes over the wire, whatever carries it there. SPEC §7 */
export interface ErrorAnswer {
  readonly status: number;
  /** Lower-case names; `content-type` among them. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** JSON text, the same byte for byte for two same requests. */
  readonly body: string;
}

/** What Node's HTTP parser and Fastify call the faults that they find before a handler runs. */
const BY_CODE: ReadonlyMap<string, () => ApiError> = new Map(
  Object.entries({
    HPE_HEADER_OVERFLOW: () => new HeadersTooLargeError(),
    ERR_HTTP_REQUEST_TIMEOUT: () => new RequestTimeoutError(),
    FST_ERR_BAD_URL: () => new MalformedRequestError('The path is not correctly percent-encoded UTF-8.'),
    FST_ERR_MAX_PARAM_LENGTH: () => new RouteNotFoundError(),
    FST_ERR_NOT_FOUND: () => new RouteNotFoundError(),
    FST_ERR_CTP_BODY_TOO_LARGE: () => new BodyTooLargeError(),
    FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new UnsupportedMediaTypeError(),
    FST_ERR_CTP_EMPTY_JSON_BODY: () => new MalformedBodyError('The request body is empty; it must be JSON.'),
    FST_ERR_CTP_INVALID_JSON_BODY: () => new MalformedBodyError('The request body is not valid JSON.'),
    FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => new MalformedBodyError('The request body is not as long as declared.'),
  }),
);

/** What Nest itself throws; our own code throws an {@link ApiError}. */
const BY_STATUS: Readonly<Record<number, () => ApiError>> = {
  404: () => new RouteNotFoundError(),
  408: () => new RequestTimeoutError(),
  413: () => new BodyTooLargeError(),
  415: () => new UnsupportedMediaTypeError(),
  503: () => new ServiceUnavailableError('unavailable', 'The service is not available at the moment.'),
};

/**
 * Turns whatever was thrown into the service's own error. What nobody foresaw becomes a 500 that keeps it as its
 * cause, for the log alone.
 * @see SPEC §7
 */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof HttpException) return BY_STATUS[thrown.getStatus()]?.() ?? unforeseen(thrown);
  const code = codeOf(thrown);
  const known = BY_CODE.get(code);
  if (known !== undefined) return known();
  // Every other fault of the HTTP parser: garbage, conflicting lengths, unknown methods, bad chunks.
  if (code.startsWith('HPE_')) return new MalformedRequestError('The request is not valid HTTP/1.1.');
  return new InternalError(thrown);
}

/**
 * Turns whatever was thrown into the one shape of an error answer.
 * @see SPEC §7
 */
export function toErrorAnswer(thrown: unknown): ErrorAnswer {
  const error = toApiError(thrown);
  return {
    status: error.status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...error.headers },
    body: JSON.stringify(error.toBody()),
  };
}

function unforeseen(exception: HttpException): ApiError {
  const status = exception.getStatus();
  return status >= 400 && status < 500
    ? new MalformedRequestError('The request cannot be processed.', { cause: exception })
    : new InternalError(exception);
}

function codeOf(thrown: unknown): string {
  const code: unknown = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : undefined;
  return typeof code === 'string' ? code : '';
}

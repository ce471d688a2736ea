import type { ApiError } from '../api-error.js';
import { HeadersTooLargeError, MalformedRequestError, RequestTimeoutError } from '../request-errors.js';
import { isRecord, textOf } from './records.js';

/**
 * Converts an error that `clientError` receives. The same error of a handler would be the fault of an upstream server.
 */
export function parserError(thrown: unknown): ApiError | undefined {
  const code = isRecord(thrown) ? textOf(thrown, 'code') : '';
  if (code === 'HPE_HEADER_OVERFLOW') return new HeadersTooLargeError();
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new RequestTimeoutError();
  return code.startsWith('HPE_') ? new MalformedRequestError('The request is not valid HTTP/1.1.') : undefined;
}

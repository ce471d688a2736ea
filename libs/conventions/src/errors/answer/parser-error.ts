import type { ApiError } from '../api-error.js';
import { HeadersTooLargeError, MalformedRequestError, RequestTimeoutError } from '../request-errors.js';
import { isRecord, textOf } from './records.js';

/**
 * Converts an error of Node's HTTP parser, as the server's `clientError` receives it. Do not use it
 * for errors of a handler: there, such an error is the fault of an upstream server.
 * @returns undefined for everything else.
 */
export function parserError(thrown: unknown): ApiError | undefined {
  const code = isRecord(thrown) ? textOf(thrown, 'code') : '';
  if (code === 'HPE_HEADER_OVERFLOW') return new HeadersTooLargeError();
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new RequestTimeoutError();
  // Other faults: garbage, conflicting lengths, unknown methods, bad chunks.
  return code.startsWith('HPE_') ? new MalformedRequestError('The request is not valid HTTP/1.1.') : undefined;
}

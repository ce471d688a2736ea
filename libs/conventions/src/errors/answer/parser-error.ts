import type { ApiError } from '../api-error.js';
import { HeadersTooLargeError, MalformedRequestError, RequestTimeoutError } from '../request-errors.js';
import { isRecord, textOf } from './records.js';

/**
 * What Node's HTTP parser says of a request, to the server's `clientError`. Of what a handler throws it would be a fault
 * of another server that the handler has asked.
 * @returns undefined for everything else.
 */
export function parserError(thrown: unknown): ApiError | undefined {
  const code = isRecord(thrown) ? textOf(thrown, 'code') : '';
  if (code === 'HPE_HEADER_OVERFLOW') return new HeadersTooLargeError();
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new RequestTimeoutError();
  // Every other fault: garbage, conflicting lengths, unknown methods, bad chunks.
  return code.startsWith('HPE_') ? new MalformedRequestError('The request is not valid HTTP/1.1.') : undefined;
}

import { STATUS_CODES } from 'node:http';

import { API_VERSION } from '@items/contracts';
import { toErrorAnswer } from '@items/exception-filter';

import { generalHeaders } from './general-headers.js';
import { newRequestId } from './request-id.js';

/** An answer to what never became a request, as text for the socket. */
export interface RawAnswer {
  readonly requestId: string;
  readonly status: number;
  readonly text: string;
}

/**
 * Writes an error answer by hand, with the headers that all answers have, for a connection that ends with it.
 * @see SPEC §7
 */
export function rawErrorAnswer(thrown: unknown, isHttps: boolean): RawAnswer {
  const { status, headers, body } = toErrorAnswer(thrown);
  const requestId = newRequestId();
  const all = {
    ...generalHeaders(requestId, API_VERSION, isHttps),
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
    date: new Date().toUTCString(),
    connection: 'close',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${[value].flat().join(', ')}`);
  const statusLine = `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}`;
  return { requestId, status, text: `${[statusLine, ...lines].join('\r\n')}\r\n\r\n${body}` };
}

import { STATUS_CODES } from 'node:http';

import { HEADER } from '@items/conventions';
import { type ErrorAnswer, toApiError, toErrorAnswer } from '@items/conventions/answer';

import type { EdgeOptions } from '../edge-options.js';
import { generalHeaders } from '../request/general-headers.js';
import { type ReceivedHead, requestIdOf } from '../request/request-head.js';

type RawAnswerOptions = Pick<EdgeOptions, 'isHttps' | 'headers' | 'versions' | 'errorFormAt'>;

/** A response to input that never became a request, as text for the socket. */
export interface RawAnswer {
  readonly requestId: string;
  readonly status: number;
  readonly text: string;
}

/**
 * The connection ends with the error response. SPEC §7
 * @param head the part of the request that could be parsed.
 */
export function rawErrorAnswer(thrown: unknown, options: RawAnswerOptions, head?: ReceivedHead): RawAnswer {
  const { status, headers, body } = answerTo(thrown, options, head?.url ?? '');
  const requestId = requestIdOf(head ?? { headers: {} });
  const all = {
    [HEADER.requestId]: requestId,
    ...generalHeaders({ ...options.headers, ...options.versions?.headersOf(head) }, options.isHttps),
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
    date: new Date().toUTCString(),
    connection: 'close',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${[value].flat().join(', ')}`);
  const statusLine = `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}`;
  return { requestId, status, text: `${[statusLine, ...lines].join('\r\n')}\r\n\r\n${body}` };
}

function answerTo(thrown: unknown, { errorFormAt }: RawAnswerOptions, target: string): ErrorAnswer {
  const form = errorFormAt(target);
  return form === undefined ? toErrorAnswer(thrown) : form(toApiError(thrown));
}

import type { Socket } from 'node:net';
import { STATUS_CODES } from 'node:http';

import { toApiError, type ErrorAnswer, toErrorAnswer } from '@items/conventions/answer';
import { failBody } from '../body/body-failure.js';
import { connectionOf } from './connection.js';
import type { EdgeOptions } from '../edge-options.js';
import { closeGently } from './lingering-close.js';
import { refusedHead, type RefusedHead } from '../request/refused-head.js';
import type { RouteTable } from '../request/route-table.js';
import { type ApiError, MethodNotAllowedError, RouteNotFoundError, HEADER } from '@items/conventions';
import { encodingFault, validateHead, type ReceivedHead, requestIdOf } from '../request/request-head.js';
import { generalHeaders } from '../request/general-headers.js';

/**
 * Responds to errors of Node's HTTP parser: invalid HTTP, oversized headers, bad chunks, timeouts. A pending response
 * is sent first; if the error is in the body of its own request, it becomes that response.
 */
export class ClientErrors {
  private readonly ended = new WeakSet<Socket>();

  constructor(
    private readonly options: Pick<EdgeOptions, 'log' | 'isHttps' | 'headers' | 'versions' | 'errorFormAt'> & {
      readonly routes: RouteTable;
    },
  ) {}

  handle(fault: Error, socket: Socket): void {
    if (this.ended.has(socket)) return;
    if (socket.destroyed || !socket.writable) {
      socket.destroy();
      return;
    }
    const connection = connectionOf(socket);
    const due = connection?.dueResponse;
    // Only the rest of a body is late or broken, and its request already has a response.
    if (!due && connection?.isInsideBody) closeGently(socket);
    else if (!due) this.answer(fault, socket);
    else if (due.req.complete || due.headersSent)
      due.once('close', () => setImmediate(() => this.handle(fault, socket)));
    else {
      due.shouldKeepAlive = false;
      failBody(due.req, toApiError(fault));
    }
  }

  private answer(fault: Error, socket: Socket): void {
    this.ended.add(socket);
    const head = refusedHead(fault);
    const refusal = head && refusalOfMethod(head, this.options.routes);
    const { requestId, status, text } = rawErrorAnswer(refusal ?? fault, this.options, head);
    closeGently(socket, text);
    this.options.log.info({ request_id: requestId, status }, 'refused: not a valid HTTP request');
  }
}

/**
 * Returns the same error as for a supported method that no route has: 400, 404 or 405, in this order; undefined if the
 * method is not the fault. SPEC §1
 */
function refusalOfMethod(head: RefusedHead, routes: RouteTable): ApiError | undefined {
  if (!head.hasUnknownMethod) return undefined;
  const fault = head.isWhole ? validateHead(head).fault : encodingFault(head.url);
  if (fault !== undefined) return fault;
  const allow = routes.allowedAt(head.url);
  return allow === undefined ? new RouteNotFoundError() : new MethodNotAllowedError(allow);
}

type RawAnswerOptions = Pick<EdgeOptions, 'isHttps' | 'headers' | 'versions' | 'errorFormAt'>;

/** A response to input that never became a request, as text for the socket. */
interface RawAnswer {
  readonly requestId: string;
  readonly status: number;
  readonly text: string;
}

/**
 * The connection ends with the error response. SPEC §7
 * @param head the part of the request that could be parsed.
 */
function rawErrorAnswer(thrown: unknown, options: RawAnswerOptions, head?: ReceivedHead): RawAnswer {
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

import type { Socket } from 'node:net';
import { STATUS_CODES } from 'node:http';

import { toApiError, type ErrorAnswer, toErrorAnswer } from '@items/conventions/answer';
import { failBody } from '../body/read-body.js';
import { connectionOf } from './connection.js';
import type { EdgeOptions } from '../edge-options.js';
import { closeGently } from './lingering-close.js';
import { refusedHead, type RefusedHead } from '../request/refused-head.js';
import type { RouteTable } from '../request/route-table.js';
import { type ApiError, MethodNotAllowedError, RouteNotFoundError, HEADER } from '@items/conventions';
import { encodingFault, validateHead, requestIdOf } from '../request/request-head.js';
import { generalHeaders } from '../request/general-headers.js';

/**
 * Responds to errors of Node's HTTP parser: invalid HTTP, oversized headers, bad chunks, timeouts. A pending response
 * is sent first; if the error is in the body of its own request, it becomes that response.
 */
export class ClientErrors {
  private readonly ended = new WeakSet<Socket>();

  constructor(
    private readonly parts: Pick<EdgeOptions, 'log' | 'isHttps' | 'headers' | 'versions' | 'errorFormAt'> & {
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
    const { log, isHttps, headers, versions, errorFormAt, routes } = this.parts;
    const head = refusedHead(fault);
    const thrown = (head && refusalOfMethod(head, routes)) ?? fault;
    const form = errorFormAt(head?.url ?? '');
    const answer = form === undefined ? toErrorAnswer(thrown) : form(toApiError(thrown));
    const requestId = requestIdOf(head ?? { headers: {} });
    const general = generalHeaders({ ...headers, ...versions?.headersOf(head) }, isHttps);
    closeGently(socket, rawText(answer, { [HEADER.requestId]: requestId, ...general }));
    log.info({ request_id: requestId, status: answer.status }, 'refused: not a valid HTTP request');
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

/** Writes the response to input that never became a request. The connection ends with it. SPEC §7 */
function rawText({ status, headers, body }: ErrorAnswer, common: Readonly<Record<string, string>>): string {
  const all = {
    ...common,
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
    date: new Date().toUTCString(),
    connection: 'close',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${[value].flat().join(', ')}`);
  const statusLine = `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}`;
  return `${[statusLine, ...lines].join('\r\n')}\r\n\r\n${body}`;
}

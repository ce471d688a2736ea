import type { Socket } from 'node:net';

import { toApiError } from '@items/conventions/answer';

import { failBody } from '../body/body-failure.js';
import { connectionOf } from './connection.js';
import type { EdgeOptions } from '../edge-options.js';
import { closeGently } from './lingering-close.js';
import { rawErrorAnswer } from './raw-answer.js';
import { refusedHead } from '../request/refused-head.js';
import { refusalOfMethod } from '../request/refused-method.js';
import type { RouteTable } from '../request/route-table.js';

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

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
 * Answers what the HTTP parser refuses: garbage, oversized headers, bad chunks, and what is late. An answer that is
 * still due on the connection goes first; where the fault lies in its own body, it becomes that answer.
 */
export class ClientErrors {
  private readonly ended = new WeakSet<Socket>();

  constructor(
    private readonly options: Pick<EdgeOptions, 'log' | 'isHttps' | 'headers' | 'versions' | 'errorFormAt'> & {
      readonly routes: RouteTable;
    },
  ) {}

  handle(fault: Error, socket: Socket): void {
    // What else comes after the last word is dropped.
    if (this.ended.has(socket)) return;
    if (socket.destroyed || !socket.writable) {
      socket.destroy();
      return;
    }
    const connection = connectionOf(socket);
    const due = connection?.dueResponse;
    // Answered early, and now the rest of its body is late or broken: there is nothing left to say.
    if (!due && connection?.isInsideBody) closeGently(socket);
    else if (!due) this.answer(fault, socket);
    else if (due.req.complete || due.headersSent)
      due.once('close', () => setImmediate(() => this.handle(fault, socket)));
    else {
      due.shouldKeepAlive = false;
      failBody(due.req, toApiError(fault));
    }
  }

  /** Says its last word on a connection. */
  private answer(fault: Error, socket: Socket): void {
    this.ended.add(socket);
    const head = refusedHead(fault);
    const refusal = head && refusalOfMethod(head, this.options.routes);
    const { requestId, status, text } = rawErrorAnswer(refusal ?? fault, this.options, head);
    closeGently(socket, text);
    this.options.log.info({ request_id: requestId, status }, 'refused: not a valid HTTP request');
  }
}

import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { connectionOf } from './connection.js';
import { closeGently } from './lingering-close.js';

/**
 * Sends through the edge what Node would answer, or drop, by itself: expectations and CONNECT. `Upgrade` needs
 * nothing: without a listener Node ignores it, as RFC 9110 §7.8 allows.
 */
export function receiveUnusualRequests(server: Server): void {
  // No client gets a 100 Continue before the body is wanted; see the body's reader.
  const pass = (message: IncomingMessage, response: ServerResponse) => server.emit('request', message, response);
  server.on('checkContinue', pass);
  server.on('checkExpectation', pass);
  server.on('connect', (message: IncomingMessage, socket: Socket) => {
    // Node has taken its listeners off the socket: a response that is sent in pieces waits for this.
    socket.on('drain', () => connectionOf(socket)?.dueResponse?.emit('drain'));
    whenAnswered(socket, () => {
      const response = new ServerResponse(message);
      response.shouldKeepAlive = false;
      response.assignSocket(socket);
      // Node has stopped reading: what else comes is dropped, and the end of it is noticed.
      socket.resume();
      response.on('finish', () => {
        closeGently(socket);
      });
      pass(message, response);
    });
  });
}

/** Waits for the answers of earlier requests; a connection that ends before is forgotten. */
function whenAnswered(socket: Socket, proceed: () => void): void {
  if (socket.destroyed) return;
  const due = connectionOf(socket)?.dueResponse;
  if (due === undefined) proceed();
  // The next one takes its place when this one has closed.
  else due.once('close', () => setImmediate(() => whenAnswered(socket, proceed)));
}

import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { closeGently, connectionOf } from './connection.js';

/**
 * Passes `Expect` and CONNECT to the edge: Node would respond to such requests or drop them. `Upgrades` receives
 * WebSocket handshakes.
 */
export function receiveUnusualRequests(server: Server): void {
  const pass = (message: IncomingMessage, response: ServerResponse) => server.emit('request', message, response);
  server.on('checkContinue', pass);
  server.on('checkExpectation', pass);
  server.on('connect', (message: IncomingMessage, socket: Socket) => {
    // A streamed response needs `drain`, but Node has removed its listeners from the socket.
    socket.on('drain', () => connectionOf(socket)?.pendingResponse?.emit('drain'));
    afterEarlierResponses(socket, () => {
      const response = new ServerResponse(message);
      response.shouldKeepAlive = false;
      response.assignSocket(socket);
      // Node has stopped reading. Resume, so that input is dropped and the end of the connection is noticed.
      socket.resume();
      response.on('finish', () => closeGently(socket));
      pass(message, response);
    });
  });
}

/** Calls `proceed` after the earlier responses, if the connection is still open. */
export function afterEarlierResponses(socket: Socket, proceed: () => void): void {
  if (socket.destroyed) return;
  const pending = connectionOf(socket)?.pendingResponse;
  if (pending === undefined) proceed();
  // Check again: another response may be pending.
  else pending.once('close', () => setImmediate(() => afterEarlierResponses(socket, proceed)));
}

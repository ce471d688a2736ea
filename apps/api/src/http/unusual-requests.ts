import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Sends through the front door what Node would answer, or drop, by itself: expectations and CONNECT. `Upgrade` needs
 * nothing: without a listener Node ignores it, as RFC 9110 §7.8 allows.
 */
export function receiveUnusualRequests(server: Server): void {
  // Nobody is told to continue before the body is wanted; see the body's reader.
  const pass = (message: IncomingMessage, response: ServerResponse) => server.emit('request', message, response);
  server.on('checkContinue', pass);
  server.on('checkExpectation', pass);
  server.on('connect', (message: IncomingMessage, socket: Socket) => {
    const response = new ServerResponse(message);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.on('finish', () => {
      socket.destroySoon();
    });
    server.emit('request', message, response);
  });
}

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

import { LINGER_MS } from './limits.js';

/** The last request with a body on a connection. */
const bodies = new WeakMap<Socket, IncomingMessage>();

/** Whether bytes of a body follow the headers. RFC 9112 §6 */
export function mayHaveBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}

/**
 * Lets a client that is still sending its body read an early answer such as 401 or 413: closing a socket with unread
 * input resets it, and the answer is lost on its way. RFC 9112 §9.6
 */
export function lingerWhenClosed(message: IncomingMessage): void {
  const { socket } = message;
  const isKnown = bodies.has(socket);
  bodies.set(socket, message);
  if (isKnown) return;
  socket.destroySoon = () => {
    // The prototype's own method again.
    delete (socket as Partial<Socket>).destroySoon;
    if (isInsideBody(socket)) closeGently(socket);
    else socket.destroySoon();
  };
}

/** Whether what comes next on the connection is still part of a body. */
export function isInsideBody(socket: Socket): boolean {
  return bodies.get(socket)?.complete === false;
}

/** Ends our side, and goes on reading for a moment what the other side still sends. */
export function closeGently(socket: Socket, lastWords?: string): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => {
    clearTimeout(timer);
  });
  socket.end(lastWords ?? '');
}

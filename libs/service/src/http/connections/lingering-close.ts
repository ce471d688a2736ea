import type { Socket } from 'node:net';

import { LINGER_MS } from '../limits.js';

/**
 * Ends our side, and goes on reading for a moment what the other side still sends. So a client that is still sending its body
 * can read an early answer such as 401 or 413: closing a socket with unread input resets it, and the answer is lost on its
 * way. RFC 9112 §9.6
 */
export function closeGently(socket: Socket, lastWords?: string): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => {
    clearTimeout(timer);
  });
  socket.end(lastWords ?? '');
}

import type { Socket } from 'node:net';

import { LINGER_MS } from '../limits.js';

/**
 * Reads for {@link LINGER_MS} what the client still sends, so that it can read an early response such as 401 or 413.
 * Closing a socket with unread input would reset it and lose the response. RFC 9112 §9.6
 */
export function closeGently(socket: Socket, lastWords?: string): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => {
    clearTimeout(timer);
  });
  socket.end(lastWords ?? '');
}

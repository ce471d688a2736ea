import type { Server } from 'node:http';
import type { Socket } from 'node:net';

import { ServiceUnavailableError } from '@items/errors';

import type { ClientErrors } from './client-errors.js';
import { MAX_CONNECTIONS } from './limits.js';

/** Answers whatever comes on the connections beyond the limit, so that it is not simply cut off. */
export const TOO_MANY_CONNECTIONS = new ServiceUnavailableError(
  'overloaded',
  'The service has too many open connections.',
);

/** The open connections of a server. */
export class Connections {
  private readonly open = new Set<Socket>();
  private whenNone: (() => void) | undefined;

  /** @param limit of what is served; as many again are told so, or have not finished their TLS handshake. */
  constructor(server: Server, clientErrors: ClientErrors, limit = MAX_CONNECTIONS) {
    const event = 'setSecureContext' in server ? 'secureConnection' : 'connection';
    server.on(event, (socket: Socket) => {
      this.open.add(socket);
      socket.once('close', () => {
        this.open.delete(socket);
        if (this.open.size === 0) this.whenNone?.();
      });
      if (this.open.size > limit) clientErrors.answer(TOO_MANY_CONNECTIONS, socket);
    });
    // Node closes the others at once: also the last words cost a file descriptor, until they are read.
    server.maxConnections = 2 * limit;
  }

  /** @returns a promise that is kept when no connection is left. */
  async drained(): Promise<void> {
    if (this.open.size === 0) return;
    await new Promise<void>((resolve) => {
      this.whenNone = resolve;
    });
  }

  all(): readonly Socket[] {
    return [...this.open];
  }
}

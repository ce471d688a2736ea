import type { Server as HttpServer } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { RequestTimeoutError } from '@items/errors';

import type { ClientErrors } from './client-errors.js';
import type { Connections } from './connections.js';
import { dueAnswer } from './due-answer.js';
import type { Lifecycle } from './lifecycle.js';

/** What a graceful stop works on. */
export interface StopParts {
  readonly server: HttpServer;
  readonly connections: Connections;
  readonly clientErrors: ClientErrors;
  readonly lifecycle: Lifecycle;
}

/** Milliseconds since the signal; the process must be gone after 10 s. */
export const STOP_TIMES = { refuseNew: 1_000, closeIdle: 5_000, answerLate: 8_000, cut: 9_000 };

/**
 * Stops without losing a request: not ready at once, while balancers that have not noticed are still served for a
 * second; then no new connection, while open ones are answered, each connection ending with its answer; idle ones end
 * after five seconds, and what hangs is answered 408 or cut.
 * @returns a promise that is kept when no connection is left.
 * @see decisions §7
 */
export async function stopGracefully(parts: StopParts, times = STOP_TIMES): Promise<void> {
  const { server, connections } = parts;
  parts.lifecycle.beginStop();
  for (const socket of connections.all()) closeWithAnswer(socket);
  const over = new AbortController();
  const at = (ms: number, step: () => void): void => {
    sleep(ms, undefined, { signal: over.signal }).then(step, () => undefined);
  };

  await sleep(times.refuseNew);
  // Not HttpServer's own close: that would also cut idle connections, on which a request may be on its way.
  NetServer.prototype.close.call(server);
  at(times.closeIdle - times.refuseNew, () => {
    server.closeIdleConnections();
  });
  at(times.answerLate - times.refuseNew, () => {
    const late = new RequestTimeoutError();
    for (const socket of connections.all()) parts.clientErrors.handle(late, socket);
  });
  at(times.cut - times.refuseNew, () => {
    server.closeAllConnections();
  });
  await connections.drained();
  over.abort();
}

/** The front door sees to later requests; this one had been received before the stop began. */
function closeWithAnswer(socket: Socket): void {
  const due = dueAnswer(socket);
  if (due !== undefined) due.shouldKeepAlive = false;
}

import type { Server as HttpServer } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

import { RequestTimeoutError } from '@items/conventions';

import type { ClientErrors } from './client-errors.js';
import type { Connections } from './connections.js';
import type { Lifecycle } from './lifecycle.js';

/** What a graceful stop works on. */
export interface StopParts {
  readonly server: HttpServer;
  readonly connections: Connections;
  readonly clientErrors: ClientErrors;
  readonly lifecycle: Lifecycle;
}

/** Milliseconds since the signal. */
export interface StopTimes {
  /** New connections are refused. */
  readonly refuseNew: number;
  /** Connections on which nothing is asked are closed. */
  readonly closeIdle: number;
  /** What hangs is answered 408. */
  readonly answerLate: number;
  /** What is still open is cut. */
  readonly cut: number;
}

/** How long new connections are taken for where nothing else is said, in milliseconds. */
const STOP_DELAY_MS = 1_000;

/** How long after the delay the last connection is cut, in milliseconds. */
export const STOP_AFTER_DELAY_MS = 8_000;

/** The steps of a stop. @param delayMs for which new connections are taken, for balancers that have not noticed. */
export function stopTimes(delayMs = STOP_DELAY_MS): StopTimes {
  return {
    refuseNew: delayMs,
    closeIdle: delayMs + 4_000,
    answerLate: delayMs + 7_000,
    cut: delayMs + STOP_AFTER_DELAY_MS,
  };
}

/** Longest look for connections that wait to be accepted, in milliseconds: a flood of them has no end. */
const ACCEPT_LIMIT_MS = 1_000;
/** Turns of the event loop without a connection after which none waits. */
const IDLE_TURNS = 3;

/**
 * Stops without losing a request: not ready at once, while balancers that have not noticed are still served; then no new
 * connection, while open ones are answered, each connection ending with its answer; idle ones end four seconds later, and
 * what hangs is answered 408 or cut.
 * @returns a promise that is kept when no connection is left.
 * @see SPEC §7
 */
export async function stopGracefully(parts: StopParts, times = stopTimes()): Promise<void> {
  const { server, connections } = parts;
  parts.lifecycle.beginStop();
  connections.stop();
  const over = new AbortController();
  const at = (ms: number, step: () => void): void => {
    sleep(ms, undefined, { signal: over.signal }).then(step, () => undefined);
  };

  await sleep(times.refuseNew);
  await acceptWaiting(server);
  // Not HttpServer's own close: that would also cut idle connections, on which a request may be on its way.
  NetServer.prototype.close.call(server);
  at(times.closeIdle - times.refuseNew, () => {
    server.closeIdleConnections();
    connections.closeHandshakes();
  });
  at(times.answerLate - times.refuseNew, () => {
    const late = new RequestTimeoutError();
    for (const socket of connections.all()) parts.clientErrors.handle(late, socket);
  });
  at(times.cut - times.refuseNew, () => {
    connections.cut();
  });
  await connections.drained();
  over.abort();
}

/**
 * What the system has connected, and has not been accepted, would be reset when the server closes. Node accepts a single
 * one in each turn of its event loop.
 */
async function acceptWaiting(server: HttpServer): Promise<void> {
  let accepted = 0;
  const count = (): void => {
    accepted += 1;
  };
  server.on('connection', count);
  const endMs = performance.now() + ACCEPT_LIMIT_MS;
  for (let idle = 0; idle < IDLE_TURNS && performance.now() < endMs; idle += 1) {
    const before = accepted;
    await nextTurn();
    if (accepted > before) idle = -1;
  }
  server.off('connection', count);
}

import type { Server as HttpServer } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as yieldToEventLoop, setTimeout as sleep } from 'node:timers/promises';

import { RequestTimeoutError } from '@items/conventions';

import type { ClientErrors } from './client-errors.js';
import type { Connections } from './connections.js';
import type { Lifecycle } from './lifecycle.js';

export interface StopParts {
  readonly server: HttpServer;
  readonly connections: Connections;
  readonly clientErrors: ClientErrors;
  readonly lifecycle: Lifecycle;
}

/** In milliseconds since the signal. */
export interface StopTimes {
  readonly refuseNew: number;
  readonly closeIdle: number;
  /** Time at which hanging requests get 408. */
  readonly endHanging: number;
  readonly cut: number;
}

const STOP_DELAY_MS = 1_000;

export const STOP_AFTER_DELAY_MS = 8_000;

/** @param delayMs time for load balancers to notice the failing readiness check. */
export function stopTimes(delayMs = STOP_DELAY_MS): StopTimes {
  return {
    refuseNew: delayMs,
    closeIdle: delayMs + 4_000,
    endHanging: delayMs + 7_000,
    cut: delayMs + STOP_AFTER_DELAY_MS,
  };
}

/** Maximum time to accept waiting connections: a flood of them may never end. */
const ACCEPT_LIMIT_MS = 1_000;
/** After this number of short turns of the event loop without a new connection, no connection waits. */
const IDLE_TURNS = 3;
/** Longer turns do not count in {@link IDLE_TURNS}, because a connection may arrive during them. */
const SHORT_TURN_MS = 0.1;
/** After this time, turns of any length count: on a busy machine, no turn is short. */
const SHORT_TURNS_UNTIL_MS = 300;

/**
 * Stops without losing a request. Readiness fails immediately, and connections end with their next response. New
 * connections are accepted until load balancers have noticed. Then idle connections are closed, and at last hanging
 * requests get 408 or are cut. Resolves when no connection is left. SPEC §7
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
  // The `close` of HttpServer would also cut idle connections, on which a request may be arriving.
  NetServer.prototype.close.call(server);
  at(times.closeIdle - times.refuseNew, () => {
    server.closeIdleConnections();
    connections.closeHandshakes();
  });
  at(times.endHanging - times.refuseNew, () => {
    const late = new RequestTimeoutError();
    for (const socket of connections.all()) parts.clientErrors.handle(late, socket);
  });
  at(times.cut - times.refuseNew, () => connections.cut());
  await connections.drained();
  over.abort();
}

/**
 * Accepts connections that the operating system has established: closing the server would reset them. Node accepts one
 * per turn of its event loop.
 */
async function acceptWaiting(server: HttpServer): Promise<void> {
  let accepted = 0;
  const count = (): void => {
    accepted += 1;
  };
  server.on('connection', count);
  const startMs = performance.now();
  for (let idle = 0, nowMs = startMs; idle < IDLE_TURNS && nowMs < startMs + ACCEPT_LIMIT_MS; idle += 1) {
    const before = { accepted, nowMs };
    await yieldToEventLoop();
    nowMs = performance.now();
    const isLong = nowMs - before.nowMs > SHORT_TURN_MS && nowMs < startMs + SHORT_TURNS_UNTIL_MS;
    if (accepted > before.accepted || isLong) idle = -1;
  }
  server.off('connection', count);
}

import { ServiceUnavailableError } from '@items/conventions';

import { HealthBoard } from './health-board.js';
import { type HealthAddress, HealthServer, type HealthServerOptions } from './health-server.js';

/** A start that takes longer is heard of, in milliseconds: most are over by then. */
const LATE_MS = 5_000;
const PATHS = '/health/';
const STARTING = new ServiceUnavailableError('starting', 'The service is starting.', { retryAfterSeconds: 2 });

/** What is served while a service starts, and where. */
export interface StartOptions extends HealthAddress, Pick<HealthServerOptions, 'tls'> {
  /** Of every answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** How long a start may take in silence, in milliseconds; five seconds where it is left out. */
  readonly lateMs?: number;
}

/**
 * Answers on the port of a service that takes long to start, because another instance migrates the database, say: it is live
 * and not ready, and all else is 503. ADR 47
 * @returns ends that; the port is free when the promise is kept.
 */
export function serveStart({ port, host, headers, tls, lateMs = LATE_MS }: StartOptions): () => Promise<void> {
  let serving: Promise<HealthServer | undefined> | undefined;
  const timer = setTimeout(() => {
    serving = listen();
  }, lateMs);

  async function listen(): Promise<HealthServer | undefined> {
    const refusalFor = (target: string): ServiceUnavailableError | undefined =>
      target.startsWith(PATHS) ? undefined : STARTING;
    const server = new HealthServer(new HealthBoard(), headers, { tls, refusalFor });
    try {
      // Where there are several processes on this port, none of the others has begun.
      await server.listen({ port, host, exclusive: true });
      return server;
    } catch {
      // The service itself will say what keeps the port.
      return undefined;
    }
  }

  return async () => {
    clearTimeout(timer);
    await (await serving)?.close();
  };
}

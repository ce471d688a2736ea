import { ServiceUnavailableError } from '@items/conventions';

import type { SideAddress } from '../../http/edge/side-server.js';
import { HealthBoard } from './health-board.js';
import { HealthServer, type HealthServerOptions } from './health-server.js';

const LATE_MS = 5_000;
const PATHS = '/health/';
const STARTING = new ServiceUnavailableError('starting', 'The service is starting.', { retryAfterSeconds: 2 });

export interface StartOptions extends SideAddress, Pick<HealthServerOptions, 'tls'> {
  readonly headers: Readonly<Record<string, string>>;
  /** Time before a long start answers on the port. Default: 5 s. */
  readonly lateMs?: number;
}

/**
 * Answers on the port of a service that takes long to start, for example because another instance migrates the
 * database: live, not ready, and 503 for everything else. ADR 45
 * @returns a function that ends this; the port is free when its promise resolves.
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
      // Not shared: another process on this port may already serve.
      await server.listen({ port, host, exclusive: true });
      return server;
    } catch {
      // The service itself will report why the port cannot be used.
      return undefined;
    }
  }

  return async () => {
    clearTimeout(timer);
    await (await serving)?.close();
  };
}

import { ServiceUnavailableError } from '@items/conventions';

import type { SideAddress } from '../../http/edge/side-server.js';
import { HealthBoard } from './health-board.js';
import { HealthServer, type HealthServerOptions } from './health-server.js';

const LATE_MS = 5_000;
const PATHS = '/health/';
const STARTING = new ServiceUnavailableError('starting', 'The service is starting.', { retryAfterSeconds: 2 });

export interface StartOptions extends SideAddress, Pick<HealthServerOptions, 'tls'> {
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds until the port responds. Default: 5000. */
  readonly lateMs?: number;
}

/**
 * Responds on the port during a long start, for example while another instance migrates the database. The responses are
 * live, not ready, and 503 for everything else. ADR 45
 * @returns a function that stops the responses; the port is free when its promise resolves.
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
      // Listen exclusively, because another process may already use this port.
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

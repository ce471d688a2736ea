import fastify, { type FastifyInstance } from 'fastify';

import type { ConnectionLimits } from '../connections/connections.js';
import type { EdgeOptions } from '../edge-options.js';
import { createEdge, installEdge, type Stop } from './edge.js';
import { fastifyOptions, type ServerOptions } from './server.js';

/** Requests of a side server must not delay the end of the process. */
const IMMEDIATELY = { refuseNew: 0, closeIdle: 0, endHanging: 0, cut: 0 };

export interface SideAddress {
  readonly port: number;
  readonly host: string;
}

export interface SideServerOptions extends Partial<EdgeOptions>, Pick<ServerOptions, 'tls'> {
  /** The default limits are too high for a small server: one address could occupy all connections. */
  readonly limits: ConnectionLimits;
}

/** A small additional server of the service, on its own port. */
export class SideServer {
  protected readonly server: FastifyInstance;
  private readonly stopServing: Stop;

  constructor({ tls, ...options }: SideServerOptions) {
    const edge = createEdge({ isHttps: tls !== undefined, ...options });
    this.server = fastify(fastifyOptions({ tls }, edge) as object);
    this.stopServing = installEdge(this.server, edge);
  }

  listen({ port, host, exclusive = false }: SideAddress & { readonly exclusive?: boolean }): Promise<string> {
    return this.server.listen({ port, host, exclusive });
  }

  async close(): Promise<void> {
    await this.stopServing(IMMEDIATELY);
    await this.server.close();
  }
}

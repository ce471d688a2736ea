import type { ConnectionLimits } from '../../http/connections/connections.js';
import { createEdge } from '../../http/edge/edge.js';
import { fastifyOptions } from '../../http/edge/fastify-options.js';
import { installEdge, type Stop } from '../../http/edge/install-edge.js';
import type { MaintenanceMode } from '../../http/edge-options.js';
import type { ServerOptions } from '../../http/edge/server.js';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';

import type { HealthAnswer, HealthBoard } from './health-board.js';

/** No single address may occupy all connections. A client that does not read is disconnected. */
const LIMITS: ConnectionLimits = { inAll: 64, silentPerAddress: 16, readerMs: 10_000 };
/** A health check must not delay the end of the process. */
const IMMEDIATELY = { refuseNew: 0, closeIdle: 0, answerLate: 0, cut: 0 };

export interface HealthAddress {
  readonly port: number;
  readonly host: string;
}

export interface HealthServerOptions extends Pick<ServerOptions, 'tls'> {
  readonly refusalFor?: MaintenanceMode['refusalFor'];
}

/** Serves `GET /health/live` and `GET /health/ready` as the service does, and nothing else. */
export class HealthServer {
  private readonly server: FastifyInstance;
  private readonly stopServing: Stop;

  constructor(
    board: HealthBoard,
    headers: Readonly<Record<string, string>>,
    { tls, refusalFor }: HealthServerOptions = {},
  ) {
    const isHttps = tls !== undefined;
    const edge = createEdge({
      limits: LIMITS,
      isHttps,
      headers,
      maintenance: refusalFor && { isOn: true, refusalFor },
    });
    this.server = fastify(fastifyOptions({ tls }, edge) as object);
    this.stopServing = installEdge(this.server, edge);
    this.server.get('/health/live', (_request, reply) => send(board.live(), reply));
    this.server.get('/health/ready', (_request, reply) => send(board.ready(), reply));
  }

  listen({ port, host, exclusive = false }: HealthAddress & { readonly exclusive?: boolean }): Promise<string> {
    return this.server.listen({ port, host, exclusive });
  }

  async close(): Promise<void> {
    await this.stopServing(IMMEDIATELY);
    await this.server.close();
  }
}

function send({ status, headers, body }: HealthAnswer, reply: FastifyReply): FastifyReply {
  return reply
    .code(status)
    .headers(headers as Record<string, string>)
    .send(body);
}

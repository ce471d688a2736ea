import type { FastifyReply } from 'fastify';

import { SideServer, type SideServerOptions } from '../../http/edge/side-server.js';
import type { MaintenanceMode } from '../../http/edge-options.js';
import type { HealthAnswer, HealthBoard } from './health-board.js';

const LIMITS = { inAll: 64, silentPerAddress: 16, readerMs: 10_000 };

export interface HealthServerOptions extends Pick<SideServerOptions, 'tls'> {
  readonly refusalFor?: MaintenanceMode['refusalFor'];
}

/** Serves `GET /health/live` and `GET /health/ready` as the service does, and nothing else. */
export class HealthServer extends SideServer {
  constructor(
    board: HealthBoard,
    headers: Readonly<Record<string, string>>,
    { tls, refusalFor }: HealthServerOptions = {},
  ) {
    super({ limits: LIMITS, tls, headers, maintenance: refusalFor && { isOn: true, refusalFor } });
    this.server.get('/health/live', (_request, reply) => send(board.live(), reply));
    this.server.get('/health/ready', (_request, reply) => send(board.ready(), reply));
  }
}

function send({ status, headers, body }: HealthAnswer, reply: FastifyReply): FastifyReply {
  return reply
    .code(status)
    .headers(headers as Record<string, string>)
    .send(body);
}

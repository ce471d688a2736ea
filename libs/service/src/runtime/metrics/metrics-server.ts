import type { ConnectionLimits } from '../../http/connections/connections.js';
import { createEdge } from '../../http/edge/edge.js';
import type { EdgeLog } from '../../http/edge-options.js';
import { fastifyOptions } from '../../http/edge/fastify-options.js';
import { installEdge, type Stop } from '../../http/edge/install-edge.js';
import { sendError } from '@items/conventions/answer';
import fastify, { type FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';

import { sparingly } from './sparingly.js';

/** A few who scrape, and people who look, of whom no address can hold all; who leaves the answer unread is cut. */
const LIMITS: ConnectionLimits = { inAll: 16, silentPerAddress: 8, readerMs: 10_000 };
/** A scrape does not keep the process alive. */
const AT_ONCE = { refuseNew: 0, closeIdle: 0, answerLate: 0, cut: 0 };

/** Where metrics are served. */
export interface MetricsAddress {
  /** 0 for any free port. */
  readonly port: number;
  readonly host: string;
}

/**
 * Answers `GET /metrics` on a listener of its own, and nothing else. It has the limits of any other server of ours, but
 * for few connections: what is slow, half open or silent is closed, and the text is made
 * less than ten times a second, however many ask for it.
 */
export class MetricsServer {
  private readonly server: FastifyInstance;
  private readonly stopServing: Stop;

  /**
   * @param text makes what is answered, in Prometheus' text format.
   * @param log receives failures.
   */
  constructor(text: () => Promise<string>, log: EdgeLog) {
    const sparingText = sparingly(text);
    const edge = createEdge({ log, limits: LIMITS });
    this.server = fastify(fastifyOptions({}, edge));
    this.stopServing = installEdge(this.server, edge);
    this.server.setErrorHandler((error, _request, reply) => {
      log.error({ err: error }, 'metrics could not be told');
      sendError(error, reply);
    });
    this.server.get('/metrics', async (_request, reply) => {
      reply.header('content-type', Registry.PROMETHEUS_CONTENT_TYPE);
      return sparingText();
    });
  }

  /** @returns its URL. @throws what keeps the port from being listened on. */
  listen({ port, host }: MetricsAddress): Promise<string> {
    return this.server.listen({ port, host });
  }

  async close(): Promise<void> {
    await this.stopServing(AT_ONCE);
    await this.server.close();
  }
}

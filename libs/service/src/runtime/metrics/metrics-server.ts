import { setTimeout as sleep } from 'node:timers/promises';

import type { ConnectionLimits } from '../../http/connections/connections.js';
import { createEdge } from '../../http/edge/edge.js';
import type { EdgeLog } from '../../http/edge-options.js';
import { fastifyOptions } from '../../http/edge/fastify-options.js';
import { installEdge, type Stop } from '../../http/edge/install-edge.js';
import { sendError } from '@items/conventions/answer';
import fastify, { type FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';

/** No single address may occupy all connections. A client that does not read is disconnected. */
const LIMITS: ConnectionLimits = { inAll: 16, silentPerAddress: 8, readerMs: 10_000 };
/** A scrape must not delay the end of the process. */
const IMMEDIATELY = { refuseNew: 0, closeIdle: 0, answerLate: 0, cut: 0 };

export interface MetricsAddress {
  readonly port: number;
  readonly host: string;
}

/** Serves only `GET /metrics`, on its own port, and computes the text less than ten times a second. */
export class MetricsServer {
  private readonly server: FastifyInstance;
  private readonly stopServing: Stop;

  constructor(text: () => Promise<string>, log: EdgeLog) {
    const sparingText = sparingly(text);
    const edge = createEdge({ log, limits: LIMITS });
    this.server = fastify(fastifyOptions({}, edge));
    this.stopServing = installEdge(this.server, edge);
    this.server.setErrorHandler((error, _request, reply) => {
      log.error({ err: error }, 'could not collect metrics; the scraper gets an error');
      sendError(error, reply);
    });
    this.server.get('/metrics', async (_request, reply) => {
      reply.header('content-type', Registry.PROMETHEUS_CONTENT_TYPE);
      return sparingText();
    });
  }

  listen({ port, host }: MetricsAddress): Promise<string> {
    return this.server.listen({ port, host });
  }

  async close(): Promise<void> {
    await this.stopServing(IMMEDIATELY);
    await this.server.close();
  }
}

const REST_MS = 100;

/**
 * Limits work to less than ten runs a second: all calls before the next run share it. No call gets a result that is
 * older than the call.
 * @param rest pause between two runs.
 */
export function sparingly<T>(
  work: () => Promise<T>,
  rest: () => Promise<unknown> = () => sleep(REST_MS),
): () => Promise<T> {
  let rested: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;

  const turn = async (): Promise<T> => {
    await rested;
    next = undefined;
    const done = work();
    rested = done.then(rest, rest);
    return done;
  };
  return () => (next ??= turn());
}

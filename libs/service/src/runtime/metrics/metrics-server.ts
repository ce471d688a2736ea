import { setTimeout as sleep } from 'node:timers/promises';

import { sendError } from '@items/conventions/answer';
import { Registry } from 'prom-client';

import { SideServer } from '../../http/edge/side-server.js';
import type { EdgeLog } from '../../http/edge-options.js';

const LIMITS = { inAll: 16, silentPerAddress: 8, readerMs: 10_000 };

/** Serves only `GET /metrics`, on its own port, and computes the text less than ten times a second. */
export class MetricsServer extends SideServer {
  constructor(text: () => Promise<string>, log: EdgeLog) {
    super({ limits: LIMITS, log });
    const sparingText = sparingly(text);
    this.server.setErrorHandler((error, _request, reply) => {
      log.error({ err: error }, 'could not collect metrics; the scraper gets an error');
      sendError(error, reply);
    });
    this.server.get('/metrics', async (_request, reply) => {
      reply.header('content-type', Registry.PROMETHEUS_CONTENT_TYPE);
      return sparingText();
    });
  }
}

const REST_MS = 100;

/**
 * Limits work to less than ten runs a second. Calls made before a run begins share its result; later calls wait for
 * the next.
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

import type { ReadReplicas } from '../../data/replicas/read-replicas.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Routes that show writes of others before a standby has them. */
const FEEDS = new Set<string | undefined>(['/events', '/audit-events']);

/**
 * Records the position of the database for the caller of each write and each page of a feed. The caller's next reads
 * then contain this write and all events up to this page, whichever server responds.
 * @param fastify must not be ready yet.
 */
export function recordPositions(fastify: FastifyInstance, replicas: ReadReplicas): void {
  fastify.addHook('onSend', async (request, reply) => {
    const isRefused = reply.statusCode >= 400 && reply.statusCode < 500;
    const isPlainRead = READS.has(request.method) && !FEEDS.has(request.routeOptions.url);
    if (isRefused || isPlainRead) return;
    const caller = callerOf(request);
    if (caller !== undefined) await replicas.recordPosition(caller);
  });
}

/** A route that needs no caller is read from the primary. */
function callerOf(request: FastifyRequest): string | undefined {
  try {
    return request.callerId;
  } catch {
    return undefined;
  }
}

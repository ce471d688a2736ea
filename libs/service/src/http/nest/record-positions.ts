import type { StandbyReads } from '../../data/standbys/standby-reads.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Reads of a feed show writes of other callers. A standby may lack these writes, so the reads record a position. */
const FEEDS = new Set<string | undefined>(['/events', '/audit-events']);

/**
 * Records the database position for the caller of each write and each page of a feed. The next reads of the caller then
 * contain this write and all events up to this page, whichever server responds.
 * @param fastify must not be ready yet.
 */
export function recordPositions(fastify: FastifyInstance, standbys: StandbyReads): void {
  fastify.addHook('onSend', async (request, reply) => {
    const isRefused = reply.statusCode >= 400 && reply.statusCode < 500;
    const isPlainRead = READS.has(request.method) && !FEEDS.has(request.routeOptions.url);
    if (isRefused || isPlainRead) return;
    const caller = callerOf(request);
    if (caller !== undefined) await standbys.recordPosition(caller);
  });
}

/** Returns undefined for a route without callers. Such routes read the primary, so they need no position. */
function callerOf(request: FastifyRequest): string | undefined {
  try {
    return request.callerId;
  } catch {
    return undefined;
  }
}

import type { ReadReplicas } from '../../data/replicas/read-replicas.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** A response with such a status means that nothing was written. */
const isRefused = (status: number): boolean => status >= 400 && status < 500;

/**
 * Records the caller of each write, so that any server shows them their write.
 * @param fastify must not be ready yet.
 */
export function noteWrites(fastify: FastifyInstance, replicas: ReadReplicas): void {
  fastify.addHook('onSend', async (request, reply) => {
    if (READS.has(request.method) || isRefused(reply.statusCode)) return;
    const caller = callerOf(request);
    if (caller !== undefined) await replicas.noteWrite(caller);
  });
}

/** Returns the caller, or undefined if the route needs none: its data is read from the primary. */
function callerOf(request: FastifyRequest): string | undefined {
  try {
    return request.callerId;
  } catch {
    return undefined;
  }
}

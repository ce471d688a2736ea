import type { ReadReplicas } from '../../data/replicas/read-replicas.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** What a response with such a status refuses was not written. */
const isRefused = (status: number): boolean => status >= 400 && status < 500;

/** A client that has the response to its write will read it, from whichever server. @param fastify is not ready yet. */
export function noteWrites(fastify: FastifyInstance, replicas: ReadReplicas): void {
  fastify.addHook('onSend', async (request, reply) => {
    if (READS.has(request.method) || isRefused(reply.statusCode)) return;
    const caller = callerOf(request);
    if (caller !== undefined) await replicas.noteWrite(caller);
  });
}

/** Undefined where a route needs no caller: what it writes is read from the primary. */
function callerOf(request: FastifyRequest): string | undefined {
  try {
    return request.callerId;
  } catch {
    return undefined;
  }
}

import type { ServerResponse } from 'node:http';

import type { FastifyReply } from 'fastify';

import type {} from '../principal/request-principal.js';
import type { Log } from './log.js';

/** A request that is over. */
export interface EndedAnswer {
  readonly reply: FastifyReply;
  /** The pattern that the router matched; undefined: none. */
  readonly route: string | undefined;
  /** False where the client left first. */
  readonly isComplete: boolean;
}

const REPLY = Symbol('reply');
type Logged = ServerResponse & { [REPLY]?: FastifyReply };

/**
 * Writes one line for each request when its answer has gone out, or its client has. It names the route's pattern, not
 * the URL: a credential that somebody put there must not end up in the log.
 * @param slowMs a request that took longer is a warning.
 * @param onEnd hears of each request as well.
 * @returns a function that opens the line of one request.
 */
export function accessLog(
  log: Log,
  slowMs: number,
  onEnd?: (ended: EndedAnswer) => void,
): (reply: FastifyReply) => void {
  // One function for all requests: it finds its own through the response it is called on.
  function onClose(this: Logged): void {
    const { [REPLY]: reply } = this;
    if (reply === undefined) return;
    const { request } = reply;
    const route = request.routeOptions.config.url;
    const isComplete = this.writableFinished;
    const { elapsedTime } = reply;
    const isSlow = elapsedTime >= slowMs;
    log[isSlow ? 'warn' : 'info'](
      {
        request_id: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        duration_ms: Math.round(elapsedTime * 1000) / 1000,
        // Absent on the requests that the router could not read.
        credential_id: (request as Partial<typeof request>).principal?.credentialId,
        aborted: isComplete ? undefined : true,
      },
      isSlow ? 'slow request' : 'request',
    );
    onEnd?.({ reply, route, isComplete });
  }
  return (reply) => {
    const response: Logged = reply.raw;
    response[REPLY] = reply;
    response.on('close', onClose);
  };
}

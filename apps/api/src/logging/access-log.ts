import type { ServerResponse } from 'node:http';

import type { FastifyReply } from 'fastify';

import type {} from '../auth/request-principal.js';
import type { Log } from './log.js';

const REPLY = Symbol('reply');
type Logged = ServerResponse & { [REPLY]?: FastifyReply };

/**
 * Writes one line for each request when its answer has gone out, or its client has. It names the route's pattern, not
 * the URL: a credential that somebody put there must not end up in the log.
 * @returns a function that opens the line of one request.
 */
export function accessLog(log: Log): (reply: FastifyReply) => void {
  // One function for all requests: it finds its own through the response it is called on.
  function onClose(this: Logged): void {
    const { [REPLY]: reply } = this;
    if (reply === undefined) return;
    const { request } = reply;
    log.info(
      {
        request_id: request.id,
        method: request.method,
        route: request.routeOptions.config.url,
        status: reply.statusCode,
        duration_ms: Math.round(reply.elapsedTime * 1000) / 1000,
        // Absent on the requests that the router could not read.
        credential_id: (request as Partial<typeof request>).principal?.credentialId,
        aborted: this.writableFinished ? undefined : true,
      },
      'request',
    );
  }
  return (reply) => {
    const response: Logged = reply.raw;
    response[REPLY] = reply;
    response.on('close', onClose);
  };
}

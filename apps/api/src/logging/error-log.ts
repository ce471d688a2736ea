import type { ApiError } from '@items/errors';
import type { ErrorListener } from '@items/exception-filter';
import type { FastifyRequest } from 'fastify';

import type { Log } from './log.js';

/** Logs what is the service's own fault, with its stack; the fault of a client is in the access log already. */
export function errorLog(log: Log): ErrorListener<Pick<FastifyRequest, 'id'>> {
  return (error: ApiError, request) => {
    if (error.status < 500) return;
    log.error({ request_id: request.id, code: error.code, err: error.cause ?? error }, 'failed');
  };
}

import type { ApiError } from '@items/conventions';
import type { ErrorListener } from '@items/exception-filter';
import type { FastifyRequest } from 'fastify';

import type { Log } from './log.js';

/** Ordered by an operator, and reported to clients and balancers: these are no faults. */
const INTENDED: ReadonlySet<string> = new Set(['stopping', 'maintenance']);
/** Clients can cause any number of these, so they are no errors that raise an alert. */
const CAUSED_BY_CLIENTS: ReadonlySet<string> = new Set(['overloaded', 'too_slow']);

/**
 * Logs what is the service's own fault, with its stack; the fault of a client is in the access log already. Overload and slow
 * reads are warnings without a stack. The store logs a database that is down, in few
 * lines; here each request that needed it is a line for debugging.
 */
export function errorLog(log: Log): ErrorListener<Pick<FastifyRequest, 'id'>> {
  return (error: ApiError, request) => {
    if (error.status < 500 || INTENDED.has(error.code)) return;
    if (CAUSED_BY_CLIENTS.has(error.code)) log.warn({ request_id: request.id, code: error.code }, error.message);
    else if (error.code === 'database_unavailable')
      log.debug({ request_id: request.id, code: error.code, err: error.cause ?? error }, 'failed');
    else log.error({ request_id: request.id, code: error.code, err: error.cause ?? error }, 'failed');
  };
}

import type { ApiError } from '@items/conventions';
import type { ErrorListener } from '@items/exception-filter';
import type { FastifyRequest } from 'fastify';

import type { Log } from './log.js';

/** Codes of errors that an operator causes on purpose. They are not logged as errors. */
const INTENDED: ReadonlySet<string> = new Set(['stopping', 'maintenance']);
/** Codes of errors that clients can cause in any number. They must not raise an alert. */
const CAUSED_BY_CLIENTS: ReadonlySet<string> = new Set(['overloaded', 'too_slow']);

/**
 * Logs errors of the service with their stack. Overload and slow reads are warnings without a stack. If the database is
 * down, the database logs the outage in few lines, so each failed request is only a debug line.
 */
export function errorLog(log: Log): ErrorListener<Pick<FastifyRequest, 'id'>> {
  return (error: ApiError, request) => {
    if (error.status < 500 || INTENDED.has(error.code)) return;
    if (CAUSED_BY_CLIENTS.has(error.code)) log.warn({ request_id: request.id, code: error.code }, error.message);
    else if (error.code === 'database_unavailable')
      log.debug({ request_id: request.id, code: error.code, err: error.cause ?? error }, 'failed');
    else {
      const message = `Request failed with status ${String(error.status)}`;
      log.error({ request_id: request.id, code: error.code, err: error.cause ?? error }, message);
    }
  };
}

import { InternalError, RouteNotFoundError, ServiceUnavailableError, type ApiError } from '@items/conventions';

import { databaseUnavailable } from '../../data/database/database-unavailable.js';

import { errorLog } from './error-log.js';
import type { Log } from './log.js';

function loggedOf(error: ApiError): unknown[] {
  const lines: unknown[] = [];
  const at = (level: string) => (fields: object) => void lines.push({ level, ...fields });
  errorLog({ debug: at('debug'), warn: at('warn'), error: at('error') } as unknown as Log)(error, { id: 'r1' });
  return lines;
}

describe('The log of errors', () => {
  it('has the cause of an error of the service', () => {
    const cause = new Error('disk full');
    expect(loggedOf(new InternalError(cause))).toEqual([
      { level: 'error', request_id: 'r1', code: 'internal_error', err: cause },
    ]);
  });

  it.each(['overloaded', 'too_slow'])('has a warning without a stack for %s, which clients can cause', (code) => {
    const cause = new Error('The time is over.');
    expect(loggedOf(new ServiceUnavailableError(code, 'Too much.', { cause }))).toEqual([
      { level: 'warn', request_id: 'r1', code },
    ]);
  });

  it('has a debug line if the database is down, which the store logs', () => {
    const cause = new Error('connection refused');
    expect(loggedOf(databaseUnavailable(cause))).toEqual([
      { level: 'debug', request_id: 'r1', code: 'database_unavailable', err: cause },
    ]);
  });

  it.each(['stopping', 'maintenance'])('leaves errors that an operator caused to the access log: %s', (code) => {
    expect(loggedOf(new ServiceUnavailableError(code, 'Try again later.'))).toEqual([]);
  });

  it('leaves errors of clients to the access log', () => {
    expect(loggedOf(new RouteNotFoundError())).toEqual([]);
  });
});

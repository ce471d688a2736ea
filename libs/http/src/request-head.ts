import { InvalidQueryError, shownName } from '@items/conventions';
import type { FastifyRequest } from 'fastify';

import { type Conditions, conditionsOf, UNCONDITIONAL } from './conditional.js';
import { idempotencyKeyOf } from './idempotency-key.js';
import { queryOf } from './query.js';

/** What stands before the body: all of it is judged before a byte of the body is read. SPEC §1.3 */
export interface RequestHead {
  /** Of a request that is no POST. */
  readonly conditions: Conditions;
  /** Of a POST. */
  readonly idempotencyKey: string | undefined;
}

/** Of a list, which has no entity tag. */
export const LIST_HEAD: RequestHead = { conditions: UNCONDITIONAL, idempotencyKey: undefined };

/**
 * Reads the head of a request to a route without query parameters.
 * @throws {InvalidQueryError} 400: a parameter, which the route does not have.
 * @throws {InvalidHeaderError} 400: `Idempotency-Key`, `If-Match` or `If-None-Match` is malformed or given twice.
 */
export function headOf(request: FastifyRequest): RequestHead {
  const { raw } = request;
  const [unknown] = queryOf(request);
  if (unknown !== undefined) {
    const name = shownName(unknown[0]);
    throw new InvalidQueryError(name, 'unknown_parameter', `"${name}" is not a query parameter of this resource.`);
  }
  return raw.method === 'POST'
    ? { conditions: UNCONDITIONAL, idempotencyKey: idempotencyKeyOf(raw) }
    : { conditions: conditionsOf(raw), idempotencyKey: undefined };
}

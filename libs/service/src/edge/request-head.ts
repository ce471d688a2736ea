import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { HEADER, InvalidQueryError, type QueryPair, shownName } from '@items/conventions';
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

/** Of a request without any of it, as that for a list, which has no entity tag. */
export const PLAIN_HEAD: RequestHead = { conditions: UNCONDITIONAL, idempotencyKey: undefined };

/**
 * Reads the head of a request to a route without query parameters.
 * @throws {InvalidQueryError} 400: a parameter, which the route does not have.
 * @throws {InvalidHeaderError} 400: `Idempotency-Key`, `If-Match` or `If-None-Match` is malformed or given twice.
 */
export function headOf(request: FastifyRequest): RequestHead {
  const { raw } = request;
  const { url = '', method, headers } = raw;
  if (url.includes('?')) refuseParameters(queryOf(request));
  if (method === 'POST') {
    if (headers[HEADER.idempotencyKey] === undefined) return PLAIN_HEAD;
    return { conditions: UNCONDITIONAL, idempotencyKey: idempotencyKeyOf(raw) };
  }
  if (headers['if-match'] === undefined && headers['if-none-match'] === undefined) return PLAIN_HEAD;
  return { conditions: conditionsOf(raw), idempotencyKey: undefined };
}

function refuseParameters([first]: readonly QueryPair[]): void {
  if (first === undefined) return;
  const name = shownName(first[0]);
  throw new InvalidQueryError(name, 'unknown_parameter', `"${name}" is not a query parameter of this resource.`);
}

/** Of a request, without its query; the same for each spelling of it. RFC 9110 §4.2.3 */
export function pathOf({ raw: { url = '' } }: FastifyRequest): string {
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  return path.includes('%') ? path.split('/').map(respelled).join('/') : path;
}

/** A segment of a path that the router has decoded, with as few escapes as can be. */
function respelled(segment: string): string {
  return encodeURIComponent(decodeURIComponent(segment));
}

const ACCEPTABLE = /^[A-Za-z0-9._-]{1,128}$/;

// Unique between processes and starts; the counter makes it unique within one, for less than a random id costs.
const prefix = randomBytes(6).toString('base64url').replaceAll('_', '.');
let count = 0;

/** The id that the client gave its request, where it is harmless in a log, else a new one. */
export function requestIdOf(message: Pick<IncomingMessage, 'headers'>): string {
  const given = message.headers[HEADER.requestId];
  if (typeof given === 'string' && ACCEPTABLE.test(given)) return given;
  count += 1;
  return `${prefix}-${count.toString(36)}`;
}

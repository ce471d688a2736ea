import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { HEADER, InvalidQueryError, type QueryPair, shownName, type ApiError } from '@items/conventions';
import type { FastifyRequest } from 'fastify';
import { type Conditions, conditionsOf, UNCONDITIONAL } from './conditional.js';
import { idempotencyKeyOf } from './idempotency-key.js';
import { queryOf } from './query.js';
import type { HeadVerdict } from './request-faults.js';

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

export const VERDICT = Symbol('what its head is as HTTP');
export const REFUSAL = Symbol('why there is no room for it');
export const QUEUED_AT = Symbol('when it was queued');
export const COUNTED_BY = Symbol('the queue that counts it as under way');

/** As much of the queue of requests as a request needs once it has begun. */
interface Queue {
  leave(message: ReceivedRequest): void;
  again(response: ServerResponse, mayBeRefused: boolean): Promise<void> | undefined;
}

/** What the edge notes of a request on its way to the hooks. */
export type ReceivedRequest = IncomingMessage & {
  [VERDICT]?: HeadVerdict;
  [REFUSAL]?: ApiError;
  [QUEUED_AT]?: number;
  [COUNTED_BY]?: Queue | undefined;
};

/** Whether bytes of a body follow the headers. RFC 9112 §6 */
export function mayHaveBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}

/** When a request arrived that had to wait for its turn; undefined for one that began at once. */
export function queuedAt(message: ReceivedRequest): number | undefined {
  return message[QUEUED_AT];
}

/** Whether a request has begun, and is neither over nor resting. */
export function isUnderWay(message: ReceivedRequest): boolean {
  return message[COUNTED_BY] !== undefined;
}

/** Says that a request has nothing to do but to wait for an event: it no longer counts as under way. */
export function rest(message: ReceivedRequest): void {
  message[COUNTED_BY]?.leave(message);
}

/**
 * Another turn for a request that has much to do again, such as to judge a long body, or to write more of a long response:
 * requests of other credentials go first that have used less of the main thread.
 * @returns undefined where its turn is now.
 * @throws {ServiceUnavailableError} 503 `overloaded`: it has waited for too long, and its response has not begun.
 */
export function nextTurn(response: ServerResponse): Promise<void> | undefined {
  return (response.req as ReceivedRequest)[COUNTED_BY]?.again(response, !response.headersSent);
}

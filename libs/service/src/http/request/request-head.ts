import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import {
  type ApiError,
  HEADER,
  InvalidHeaderError,
  InvalidQueryError,
  lowerCaseUuid,
  MalformedRequestError,
  MAX_IDEMPOTENCY_KEY_LENGTH,
  type QueryPair,
  shownName,
} from '@items/conventions';
import type { FastifyRequest } from 'fastify';
import { isRowId } from '../../data/schema/row-id.js';
import { type Conditions, conditionsOf, preconditionOf, UNCONDITIONAL } from './conditional.js';
import { queryOf } from './query.js';
import { ExpectationFailedError } from './edge-errors.js';

/** Headers that are checked before a byte of the body is read. SPEC §1.3 */
export interface RequestHead {
  readonly conditions: Conditions;
  readonly precondition: ReturnType<typeof preconditionOf>;
  readonly idempotencyKey: string | undefined;
}

export const PLAIN_HEAD: RequestHead = {
  conditions: UNCONDITIONAL,
  precondition: undefined,
  idempotencyKey: undefined,
};

/**
 * Returns the headers that the handler needs: conditions and `Idempotency-Key`.
 * @throws {InvalidQueryError} 400: the request has a query parameter.
 * @throws {InvalidHeaderError} 400: `Idempotency-Key`, `If-Match` or `If-None-Match` is malformed or given twice.
 */
export function headOf(request: FastifyRequest): RequestHead {
  const { raw } = request;
  const { url = '', method, headers } = raw;
  if (url.includes('?')) refuseParameters(queryOf(request));
  if (method === 'POST') {
    if (headers[HEADER.idempotencyKey] === undefined) return PLAIN_HEAD;
    return { ...PLAIN_HEAD, idempotencyKey: idempotencyKeyOf(raw) };
  }
  if (headers['if-match'] === undefined && headers['if-none-match'] === undefined) return PLAIN_HEAD;
  const conditions = conditionsOf(raw);
  return { conditions, precondition: preconditionOf(conditions), idempotencyKey: undefined };
}

const VISIBLE = new RegExp(`^[\\x21-\\x7e]{1,${String(MAX_IDEMPOTENCY_KEY_LENGTH)}}$`);

/**
 * Returns the `Idempotency-Key`, or undefined if the request has none.
 * @throws {InvalidHeaderError} 400: the key is empty, too long, contains blanks, or is given twice.
 * @see SPEC §4.4
 */
export function idempotencyKeyOf(message: IncomingMessage): string | undefined {
  const given = message.headers[HEADER.idempotencyKey];
  if (given === undefined) return undefined;
  if (typeof given === 'string' && VISIBLE.test(given)) return given;
  const limit = String(MAX_IDEMPOTENCY_KEY_LENGTH);
  throw new InvalidHeaderError(`Idempotency-Key must be given once, as 1 to ${limit} visible ASCII characters.`);
}

function refuseParameters([first]: readonly QueryPair[]): void {
  if (first === undefined) return;
  const name = shownName(first[0]);
  throw new InvalidQueryError(name, 'unknown_parameter', `"${name}" is not a query parameter of this resource.`);
}

const AUTHORITY = /^https?:\/\/[^/?#]*/i;

/**
 * Returns path and query of a target. The host of an absolute target is ignored, like `Host`: only the base URL defines
 * the address of the service. RFC 9112 §3.2
 */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = target.replace(AUTHORITY, '');
  return rest === target || rest.startsWith('/') ? rest : `/${rest}`;
}

const MAY_NEED_NORMALIZATION = /^[^?A-F%]*[A-F%]/;
const UUID_LENGTH = 36;

/**
 * Lower-cases and unescapes the UUIDs of a path, so that each resource has one path for access, idempotency and
 * cursors. SPEC §1
 */
export function lowerCaseIds(target: string): string {
  if (!MAY_NEED_NORMALIZATION.test(target)) return target;
  const query = target.indexOf('?');
  const end = query === -1 ? target.length : query;
  return target.slice(0, end).split('/').map(normalizeId).join('/') + target.slice(end);
}

function normalizeId(segment: string): string {
  if (segment.length < UUID_LENGTH) return segment;
  const id = lowerCaseUuid(decoded(segment));
  return isRowId(id) ? id : segment;
}

function decoded(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Returns the path with normalized percent-encoding, so that equivalent paths are equal. RFC 9110 §4.2.3 */
export function pathOf({ raw: { url = '' } }: FastifyRequest): string {
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  return path.includes('%') ? path.split('/').map(normalizeSegment).join('/') : path;
}

function normalizeSegment(segment: string): string {
  return encodeURIComponent(decodeURIComponent(segment));
}

const ACCEPTABLE = /^[A-Za-z0-9._-]{1,128}$/;

// Differs in each process and start. A counter makes ids unique within a process, and is cheaper than random ids.
const prefix = randomBytes(6).toString('base64url').replaceAll('_', '.');
let count = 0;

/** Returns the request id of the client if it is harmless in a log, else a new one. */
export function requestIdOf(message: Pick<IncomingMessage, 'headers'>): string {
  const given = message.headers[HEADER.requestId];
  if (typeof given === 'string' && ACCEPTABLE.test(given)) return given;
  count += 1;
  return `${prefix}-${count.toString(36)}`;
}

/** Whether the headers announce a body. RFC 9112 §6 */
export function mayHaveBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}

export type ReceivedHead = Pick<
  IncomingMessage,
  'url' | 'headers' | 'rawHeaders' | 'httpVersionMajor' | 'httpVersionMinor'
>;

export interface HeadCheck {
  readonly fault: ApiError | undefined;
  /**
   * `perhaps`: the request has `Expect`, so a body may or may not follow. Later requests on the connection wait for its
   * response.
   */
  readonly endsConnection: 'no' | 'perhaps' | 'yes';
}

const SOUND: HeadCheck = { fault: undefined, endsConnection: 'no' };

const MAY_BE_MALFORMED = /[^\x21\x22\x24\x26-\x7e]/;
const NO_URL_CHARACTER = /[^\x21\x22\x24-\x7e]/;
/** RFC 9110 §7.2: a host and perhaps a port; empty if the target has no host. */
const HOST = /^(?:[A-Za-z0-9._~!$&'()*+,;=%-]+|\[[A-Fa-f0-9:.]+\])?(?::\d{0,5})?$/;

let lastGoodHost: string | undefined;

/** Finds the first fault of the head, and whether the connection must end with the response. */
export function validateHead({
  httpVersionMajor,
  httpVersionMinor,
  headers,
  rawHeaders,
  url = '',
}: ReceivedHead): HeadCheck {
  // First check for faults that make the host or the end of the request ambiguous (request smuggling).
  if (httpVersionMajor !== 1 || httpVersionMinor > 1) return ambiguous('This service speaks HTTP/1.1.');
  // Node uses the first of several Host or Content-Type headers; a proxy may use another one.
  let [hosts, types] = [0, 0];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    if (name.length === 12 && name.toLowerCase() === 'content-type') types += 1;
  }
  if (hosts > 1) return ambiguous('The request has more than one Host header.');
  if (types > 1) return ambiguous('The request has more than one Content-Type header.');
  const { host, expect, upgrade, 'transfer-encoding': coding } = headers;
  if (host === undefined && httpVersionMinor === 1) return ambiguous('The request has no Host header.');
  if (host !== undefined && host !== lastGoodHost) {
    if (!HOST.test(host)) return ambiguous('The Host header is not a host.');
    lastGoodHost = host;
  }
  // Node's parser accepts any coding before `chunked`, and would pass on the encoded body. RFC 9112 §6.1
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return ambiguous('The only Transfer-Encoding that this service reads is "chunked".');
  const urlFault = MAY_BE_MALFORMED.test(url) ? encodingFault(url) : undefined;
  if (urlFault === undefined && expect === undefined && upgrade === undefined) return SOUND;
  // End the connection after an upgrade request: Node may drop the bytes that follow. RFC 9110 §7.8
  const isUpgrade = upgrade !== undefined && headers.connection?.toLowerCase().includes('upgrade') === true;
  // RFC 9110 §10.1.1: an expectation in HTTP/1.0 is ignored.
  const isUnmet = expect !== undefined && httpVersionMinor === 1 && expect.toLowerCase() !== '100-continue';
  return {
    fault: urlFault ?? (isUnmet ? new ExpectationFailedError() : undefined),
    endsConnection: isUpgrade ? 'yes' : expect === undefined ? 'no' : 'perhaps',
  };
}

/** Returns error 400 if the target is not percent-encoded UTF-8, else undefined. */
export function encodingFault(url: string): ApiError | undefined {
  if (NO_URL_CHARACTER.test(url))
    return new MalformedRequestError('The URL holds characters that must be percent-encoded.');
  try {
    decodeURIComponent(url);
    return undefined;
  } catch {
    return new MalformedRequestError('The URL is not correctly percent-encoded UTF-8.');
  }
}

function ambiguous(sentence: string): HeadCheck {
  return { fault: new MalformedRequestError(sentence), endsConnection: 'yes' };
}

/** Names of query parameters, in lower case, that usually carry credentials. SPEC §5.1 */
const CREDENTIAL_NAMES: ReadonlySet<string> = new Set([
  'api_key',
  'apikey',
  'api-key',
  'x-api-key',
  'access_token',
  'refresh_token',
  'token',
  'password',
  'client_secret',
]);

/** Cheap test for a credential name: checking every name would cost a list page 1 % of its time. */
const SUSPICIOUS = /%|key|token|password|secret/i;

export function hasCredentialInUrl(url: string): boolean {
  const start = url.indexOf('?');
  if (start === -1) return false;
  const query = url.slice(start + 1);
  if (!SUSPICIOUS.test(query)) return false;
  return query.split('&').some((pair) => CREDENTIAL_NAMES.has(nameOf(pair)));
}

function nameOf(pair: string): string {
  const [name = ''] = pair.split('=', 1);
  return decoded(name.replaceAll('+', ' ')).toLowerCase();
}

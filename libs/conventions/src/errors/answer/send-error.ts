import { HEADER } from '../../http.js';
import type { ApiError } from '../api-error.js';
import { InternalError } from '../errors.js';
import { toApiError } from './to-api-error.js';

/** An error as a response, for any HTTP library. Header names are in lower case. SPEC §7 */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** JSON. Equal errors have equal bytes. */
  readonly body: string;
}

/** Contains only {@link prerendered} errors: caching any other error costs five times as much as rendering it. */
const answers = new WeakMap<ApiError, ErrorAnswer>();

/**
 * Renders in advance an error that is thrown often, such as a 503 of a busy service. Do not change it afterwards.
 * @returns the same error.
 */
export function prerendered<Made extends ApiError>(error: Made): Made {
  const answer = answerOf(error);
  Object.freeze(answer.headers);
  answers.set(error, Object.freeze(answer));
  return error;
}

/** Converts anything thrown into an error response. SPEC §7 */
export function toErrorAnswer(thrown: unknown): ErrorAnswer {
  const error = toApiError(thrown);
  return answers.get(error) ?? answerOf(error);
}

function answerOf(error: ApiError): ErrorAnswer {
  return {
    status: error.status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...error.headers },
    body: JSON.stringify(error.toBody()),
  };
}

export interface ErrorReply {
  readonly sent: boolean;
  readonly raw?: RawResponse;
  code(status: number): ErrorReply;
  headers(values: Record<string, string | string[]>): ErrorReply;
  hasHeader?(name: string): boolean;
  removeHeader?(name: string): unknown;
  send(body: string): unknown;
}

export interface RawResponse {
  readonly headersSent: boolean;
  readonly writableEnded: boolean;
  statusCode: number;
  setHeader(name: string, value: string | readonly string[]): unknown;
  hasHeader?(name: string): boolean;
  removeHeader(name: string): void;
  end(body: string): unknown;
  destroy(): unknown;
}

/** Headers that a handler may have set for its own body, which is not sent. */
const BODY_HEADERS = ['content-disposition', 'content-encoding', 'content-range', 'etag', 'last-modified'];

/**
 * Sends an error response. If a response has already begun, destroys the connection instead, so that the client
 * notices the truncation. Does nothing after a complete response. SPEC §7
 * @param reply the response object of Fastify, Express or Node.
 */
export function sendError(thrown: unknown, reply: ErrorReply | RawResponse): void {
  if ('code' in reply) sendByFastify(thrown, reply);
  else sendByNode(thrown, reply);
}

function sendByFastify(thrown: unknown, reply: ErrorReply): void {
  if (reply.sent || (reply.raw !== undefined && destroyIfStarted(reply.raw))) return;
  const { status, headers, body } = toErrorAnswer(withoutMissingRequestId(thrown, reply, reply.raw));
  for (const name of BODY_HEADERS) reply.removeHeader?.(name);
  reply
    .code(status)
    .headers(headers as Record<string, string | string[]>)
    .send(body);
}

function sendByNode(thrown: unknown, response: RawResponse): void {
  if (destroyIfStarted(response)) return;
  const { status, headers, body } = toErrorAnswer(withoutMissingRequestId(thrown, response));
  for (const name of BODY_HEADERS) response.removeHeader(name);
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('content-length', String(bytesOf(body)));
  response.end(body);
}

/** The message of a 500 mentions `X-Request-Id` only if the response has this header: not every app sets it. */
function withoutMissingRequestId(
  thrown: unknown,
  ...responses: readonly (ErrorReply | RawResponse | undefined)[]
): ApiError {
  const error = toApiError(thrown);
  const hasRequestId = responses.some((response) => response?.hasHeader?.(HEADER.requestId));
  return hasRequestId || !(error instanceof InternalError) ? error : new InternalError(error.cause, false);
}

function destroyIfStarted(response: RawResponse): boolean {
  if (response.headersSent && !response.writableEnded) response.destroy();
  return response.headersSent;
}

/** Length in UTF-8. Node and browsers have functions for it, but ECMAScript does not. */
function bytesOf(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}

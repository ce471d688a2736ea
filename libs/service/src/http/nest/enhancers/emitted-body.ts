import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { isPageStream, JsonText } from '../responses.js';

/** RFC 9110 §15.3.5, §15.4.5 */
const BODYLESS: readonly number[] = [204, 304];
const originals = new WeakMap<FastifyRequest, unknown>();

/** Returns the body as a value for interceptors. If the response has an `ETag`, stores the JSON of this value. */
export async function bodyForInterceptors(reply: FastifyReply, body: unknown): Promise<unknown> {
  const value = await valueOf(body);
  if (reply.hasHeader('etag')) originals.set(reply.request, jsonOf(value));
  return value;
}

/** Parses JSON text, and reads a streamed page to its end. */
async function valueOf(body: unknown): Promise<unknown> {
  if (body instanceof JsonText) return body.toJSON();
  if (!(body instanceof Readable) || !isPageStream(body)) return body;
  const json = await text(body);
  return json === '' ? undefined : (JSON.parse(json) as unknown);
}

/** Removes the `ETag` if interceptors have changed the body. @returns whether the status allows a body. */
export function prepareEmitted(reply: FastifyReply, emitted: unknown, status = reply.statusCode): boolean {
  const { request } = reply;
  if (BODYLESS.includes(status)) return false;
  if (originals.has(request) && jsonOf(emitted) !== originals.get(request)) reply.removeHeader('etag');
  return true;
}

/**
 * Returns the JSON of a value. A value without JSON, such as a stream, becomes a unique symbol, which counts as
 * changed.
 */
function jsonOf(value: unknown): unknown {
  try {
    return JSON.stringify(value);
  } catch {
    return Symbol('without JSON');
  }
}

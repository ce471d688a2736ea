import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

import type { FastifyReply } from 'fastify';

import type { EdgeAdapter } from '../edge-adapter.js';

/** Statuses whose responses have no body. RFC 9110 §15.3.5, §15.4.5 */
const BODYLESS: readonly number[] = [204, 304];

/** Returns the body of a response as a value: a page that is written in pieces is read to its end, and JSON is parsed. */
export async function objectOf(body: unknown): Promise<unknown> {
  if (body instanceof Readable) return JSON.parse(await text(body)) as unknown;
  return typeof body === 'string' ? (JSON.parse(body) as unknown) : body;
}

/**
 * Sends what the interceptors of a route have emitted, with the status and headers that the operation has set.
 * @param original JSON text of the body of the operation; another body has no `ETag`.
 */
export function sendEmitted(
  adapter: EdgeAdapter,
  reply: FastifyReply,
  emitted: unknown,
  original: string | undefined,
): FastifyReply {
  reply.removeHeader('content-length');
  if (BODYLESS.includes(reply.statusCode)) return reply.send();
  if (JSON.stringify(emitted) !== original) reply.removeHeader('etag');
  adapter.reply(reply, emitted);
  return reply;
}

import type { FastifyReply, FastifyRequest } from 'fastify';

import { mayHaveBody } from './lingering-close.js';
import { requireJson } from './media-type.js';
import { parseJson } from './parse-json.js';
import { readBody, requireSmallBody, wholeBody } from './read-body.js';
import { isTranslated, translatedBody } from './translate.js';

/**
 * Reads a request's body as JSON, of any shape.
 * @throws 413, 415, 400, in this order.
 */
export async function readJson({ raw }: FastifyRequest, reply: FastifyReply, maxBytes: number): Promise<unknown> {
  requireSmallBody(raw, maxBytes);
  if (mayHaveBody(raw) || raw.headers['content-type'] !== undefined) requireJson(raw.headers);
  // A client that asks before it sends its body (100-continue) gets that answer only now, when the body is wanted.
  if (raw.headers.expect !== undefined && raw.httpVersionMinor > 0) reply.raw.writeContinue();
  // What came with the head is handed on by Node in the same turn, after those who heard of the head.
  await Promise.resolve();
  const bytes = wholeBody(raw) ?? (await readBody(raw, maxBytes));
  return isTranslated(raw) ? translatedBody(raw, () => parseJson(bytes)) : parseJson(bytes);
}

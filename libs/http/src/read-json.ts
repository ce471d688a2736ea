import { setImmediate as endOfTurn } from 'node:timers/promises';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { LONG_BODY_BYTES } from './limits.js';
import { requireJson } from './media-type.js';
import { parseJson } from './parse-json.js';
import { mayHaveBody, nextTurn } from './received-request.js';
import { readBody, requireSmallBody, wholeBody } from './read-body.js';
import { isTranslated, translatedBody } from './translate.js';

/**
 * Reads the body of a request as JSON, of any shape. Nothing else may have read it: its route has `config: { readsBody }`.
 * @throws 413, 415, 400, in this order; 503 where a long body has waited too long for its turn to be judged.
 */
export async function readJson(request: FastifyRequest, reply: FastifyReply, maxBytes: number): Promise<unknown> {
  if (typeof request.onBodyRead !== 'function') return read(request, reply, maxBytes);
  const beganAtMs = performance.now();
  try {
    return await read(request, reply, maxBytes);
  } finally {
    request.onBodyRead(beganAtMs);
  }
}

async function read({ raw }: FastifyRequest, reply: FastifyReply, maxBytes: number): Promise<unknown> {
  requireSmallBody(raw, maxBytes);
  if (mayHaveBody(raw) || raw.headers['content-type'] !== undefined) requireJson(raw.headers);
  // A client that asks before it sends its body (100-continue) gets that answer only now, when the body is wanted.
  if (raw.headers.expect !== undefined && raw.httpVersionMinor > 0) reply.raw.writeContinue();
  // What came with the head is handed on by Node in the same turn, after those who heard of the head.
  await Promise.resolve();
  const bytes = wholeBody(raw) ?? (await readBody(raw, maxBytes));
  const pause = async (): Promise<void> => {
    await endOfTurn();
    await nextTurn(reply.raw);
  };
  if (bytes.length > LONG_BODY_BYTES) await nextTurn(reply.raw);
  return isTranslated(raw) ? translatedBody(raw, () => parseJson(bytes, pause)) : parseJson(bytes, pause);
}

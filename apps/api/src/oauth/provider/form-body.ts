import type { FastifyReply, FastifyRequest } from 'fastify';

import { readBody, requireSmallBody } from '../../http/read-body.js';

const FORM = /^application\/x-www-form-urlencoded[ \t]*(?:;|$)/i;

/** A form as it came. */
export interface FormBody {
  readonly text: string;
  /** Empty where the body is no form. */
  readonly fields: URLSearchParams;
}

/**
 * Reads a body that should be a form, within the limits of every body.
 * @throws {BodyTooLargeError} 413 @throws {RequestTimeoutError} 408
 */
export async function readForm({ raw }: FastifyRequest, reply: FastifyReply): Promise<FormBody> {
  requireSmallBody(raw);
  if (raw.headers.expect !== undefined && raw.httpVersionMinor > 0) reply.raw.writeContinue();
  const text = (await readBody(raw)).toString('utf8');
  return { text, fields: new URLSearchParams(FORM.test(raw.headers['content-type'] ?? '') ? text : '') };
}

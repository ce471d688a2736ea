import { MAX_CREDENTIAL_BODY_BYTES } from '@items/conventions';
import { readBody, requireSmallBody } from '../body/read-body.js';
import type { FastifyReply, FastifyRequest } from 'fastify';

const FORM = /^application\/x-www-form-urlencoded[ \t]*(?:;|$)/i;

export interface FormBody {
  readonly text: string;
  /** Fields with a value: RFC 6749 §3.2 ignores others. No fields if the body is not a form. */
  readonly fields: URLSearchParams;
}

/**
 * Reads a form, up to the size limit of bodies that contain credentials. SPEC §4.5
 * @throws {BodyTooLargeError} 413
 * @throws {RequestTimeoutError} 408
 */
export async function readForm({ raw }: FastifyRequest, reply: FastifyReply): Promise<FormBody> {
  requireSmallBody(raw, MAX_CREDENTIAL_BODY_BYTES);
  if (raw.headers.expect !== undefined && raw.httpVersionMinor > 0) reply.raw.writeContinue();
  const text = (await readBody(raw, MAX_CREDENTIAL_BODY_BYTES)).toString('utf8');
  const pairs = [...new URLSearchParams(FORM.test(raw.headers['content-type'] ?? '') ? text : '')];
  return { text, fields: new URLSearchParams(pairs.filter(([, value]) => value !== '')) };
}

import { parse as parseForm } from 'node:querystring';

import { MAX_BODY_BYTES } from '@items/conventions';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { mayHaveBody } from './received-request.js';
import { requireJson } from './media-type.js';
import { parseJson } from './parse-json.js';
import { readBody, requireSmallBody } from './read-body.js';
import { translatedBody } from './translate.js';

const FORM = 'application/x-www-form-urlencoded';
const TEXT = 'text/plain';

/**
 * Gives routes a parsed `request.body`, as any Nest application has it: JSON, a form or plain text. Routes that read their
 * body themselves (`config: { readsBody }`) find it unread.
 */
export function installBodyParser(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (request, _payload, done) => {
    if (request.routeOptions.config.readsBody !== undefined) done(null);
    else
      parsedBody(request).then(
        (body) => {
          done(null, body);
        },
        (error: unknown) => {
          done(error as Error);
        },
      );
  });
  fastify.addHook('onRoute', (route) => {
    if (route.config?.readsBody !== undefined) return;
    // A client that asks before it sends its body gets that answer here: the parsers of plugins know nothing of it.
    route.preParsing = [
      ({ raw }, reply, _payload, done) => {
        if (raw.headers.expect !== undefined && raw.httpVersionMinor > 0 && mayHaveBody(raw)) reply.raw.writeContinue();
        done();
      },
      ...[route.preParsing ?? []].flat(),
    ];
  });
}

/** @throws 413, 415, 400, in this order. */
async function parsedBody(request: FastifyRequest): Promise<unknown> {
  const { raw, mediaType } = request;
  if (!mayHaveBody(raw)) return undefined;
  requireSmallBody(raw, MAX_BODY_BYTES);
  if (mediaType !== FORM && mediaType !== TEXT) requireJson(raw.headers);
  const bytes = await readBody(raw, MAX_BODY_BYTES);
  request.rawBody = bytes;
  if (mediaType === FORM) return { ...parseForm(bytes.toString()) };
  if (mediaType === TEXT) return bytes.toString();
  return translatedBody(raw, () => parseJson(bytes));
}

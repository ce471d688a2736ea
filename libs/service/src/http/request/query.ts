import { parseQuery, type QueryPair } from '@items/conventions';
import type { FastifyRequest } from 'fastify';

const NONE: readonly QueryPair[] = [];

/**
 * Returns the query parameters, including repeated ones. `+` is a space, and a missing `=` means an empty value. The
 * edge has checked the encoding before any route runs, so decoding cannot fail.
 */
export function queryOf(request: FastifyRequest): readonly QueryPair[] {
  const url = request.raw.url ?? '';
  const start = url.indexOf('?');
  if (start === -1) return NONE;
  return parseQuery(url.slice(start + 1));
}

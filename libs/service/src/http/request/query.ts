import { parseQuery, type QueryPair } from '@items/conventions';
import type { FastifyRequest } from 'fastify';

const NONE: readonly QueryPair[] = [];

/**
 * All query parameters in their order, also those given twice; `+` is a space, and one without `=` is empty.
 * Its encoding was judged before any route ran, so decoding cannot fail here.
 */
export function queryOf(request: FastifyRequest): readonly QueryPair[] {
  const url = request.raw.url ?? '';
  const start = url.indexOf('?');
  if (start === -1) return NONE;
  return parseQuery(url.slice(start + 1));
}

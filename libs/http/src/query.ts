import type { FastifyRequest } from 'fastify';

/** One query parameter, decoded. */
export type QueryPair = readonly [name: string, value: string];

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

/** @throws {URIError} where the text is not percent-encoded UTF-8. */
export function parseQuery(text: string): readonly QueryPair[] {
  return text
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const equals = part.indexOf('=');
      return equals === -1 ? [decode(part), ''] : [decode(part.slice(0, equals)), decode(part.slice(equals + 1))];
    });
}

function decode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

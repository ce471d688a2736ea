import { MalformedRequestError, parseQuery, type QueryPair } from '@items/conventions';

import type { ListRequest, ListRules } from './list-request.js';
import { parseListQuery } from './parse-list-query.js';

/** What a list was asked for, and where: all that its page and its links need. */
export type ListRequestAt = ListRequest & {
  /** Path of the list, absolute and percent-encoded: `/items`. */
  readonly path: string;
  /** The query as it was sent, decoded. */
  readonly pairs: readonly QueryPair[];
};

/**
 * What a list was asked for, from the target of the request.
 * @param url as it was sent: `/items?page=2`.
 * @throws {MalformedRequestError} 400: the query is not percent-encoded UTF-8.
 * @throws {InvalidQueryError} 400 @throws {TooManyValuesError} 400 @throws {InvalidCursorError} 400: see `parseListQuery`.
 * @see SPEC §4
 */
export function parseListUrl(url: string, rules: ListRules): ListRequestAt {
  const [address = '', ...rest] = url.split('?');
  const pairs = decoded(rest.join('?'));
  return { ...parseListQuery(pairs, rules), path: pathOf(address), pairs };
}

/** As a reference in `Link` can hold it: of this host, and without what would end the reference. */
function pathOf(address: string): string {
  const path = address.replace(/^https?:\/\/[^/]*/i, '').replace(/^\/+/, '/');
  return path.replaceAll(/[^\w\-.~!$&'()*+,;=:@%/]/gu, encodeURIComponent);
}

function decoded(query: string): readonly QueryPair[] {
  try {
    return parseQuery(query);
  } catch (cause) {
    throw new MalformedRequestError('The query is not correctly percent-encoded UTF-8.', { cause });
  }
}

import { MalformedRequestError, parseQuery, type QueryPair } from '@items/conventions';
import type { ListRequest, ListRules } from './list-request.js';
import { parseListQuery } from './parse-list-query.js';

/** A list request, with the path and the query for its links. */
export type ListRequestAt = ListRequest & {
  /** Absolute and percent-encoded: `/items`. */
  readonly path: string;
  /** Decoded, in the order sent. */
  readonly pairs: readonly QueryPair[];
};

/**
 * @param url As sent: `/items?page=2`.
 * @throws {MalformedRequestError} 400: the query is not percent-encoded UTF-8.
 * @throws 400: see `parseListQuery`.
 * @see SPEC §4
 */
export function parseListUrl(url: string, rules: ListRules): ListRequestAt {
  const [address = '', ...rest] = url.split('?');
  const pairs = decoded(rest.join('?'));
  return { ...parseListQuery(pairs, rules), path: pathOf(address), pairs };
}

/** Makes a path safe for `Link`: on this host, without characters that end the reference. */
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

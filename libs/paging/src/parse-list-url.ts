import { MalformedRequestError } from '@items/errors';

import type { ListRequest, ListRules } from './list-request.js';
import { parseListQuery } from './parse-list-query.js';

/** What a list was asked for, and where: all that its page and its links need. */
export type ListRequestAt = ListRequest & {
  /** Path of the list, absolute and percent-encoded: `/items`. */
  readonly path: string;
  /** The query as it was sent, decoded. */
  readonly pairs: readonly (readonly [name: string, value: string])[];
};

/**
 * What a list was asked for, from the target of the request.
 * @param url as it was sent: `/items?page=2`.
 * @throws {MalformedRequestError} 400: the query is not percent-encoded UTF-8.
 * @throws {InvalidQueryError} 400 @throws {InvalidCursorError} 400: see `parseListQuery`.
 * @see SPEC §4
 */
export function parseListUrl(url: string, rules: ListRules): ListRequestAt {
  const [address = '', ...rest] = url.split('?');
  const pairs = parseQuery(rest.join('?'));
  return { ...parseListQuery(pairs, rules), path: pathOf(address), pairs };
}

/** As a reference in `Link` can hold it: of this host, and without what would end the reference. */
function pathOf(address: string): string {
  const path = address.replace(/^https?:\/\/[^/]*/i, '').replace(/^\/+/, '/');
  return path.replaceAll(/[^\w\-.~!$&'()*+,;=:@%/]/gu, encodeURIComponent);
}

/** All parameters in their order, also those given twice; `+` is a space, and one without `=` is empty. */
function parseQuery(text: string): readonly (readonly [string, string])[] {
  return text
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const equals = part.indexOf('=');
      return equals === -1 ? [decode(part), ''] : [decode(part.slice(0, equals)), decode(part.slice(equals + 1))];
    });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    throw new MalformedRequestError('The query is not correctly percent-encoded UTF-8.', { cause });
  }
}

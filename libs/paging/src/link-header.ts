import { lastPage, type OffsetPosition } from './offset-window.js';

/** Link relations of a page. RFC 8288 §3.3, SPEC §4.1 */
export type PageRelation = 'first' | 'prev' | 'next' | 'last';
/** The paging parameters of each relation that a page has. */
export type PageLinks = Readonly<Partial<Record<PageRelation, Readonly<Record<string, string | number>>>>>;

const RELATIONS: readonly PageRelation[] = ['first', 'prev', 'next', 'last'];
/** Maximum length of the header, because clients and proxies refuse longer ones. */
const MAX_LINK_LENGTH = 4096;
/** The order in which relations are omitted if the header is too long. */
const DISPENSABLE: readonly PageRelation[] = ['last', 'prev', 'first', 'next'];
const PAGING_PARAMETERS: readonly string[] = ['page', 'per_page', 'cursor', 'limit'];

/** On a page past the end, `prev` is the last page. SPEC §4.1 */
export function offsetLinks({ page, perPage, total }: OffsetPosition): PageLinks {
  const last = lastPage({ perPage, total });
  const to = (target: number): Record<string, number> => ({ page: target, per_page: perPage });
  return {
    first: to(1),
    ...(page > 1 && { prev: to(Math.min(page - 1, last)) }),
    ...(page < last && { next: to(page + 1) }),
    last: to(last),
  };
}

/** No `prev` and `last`, because cursors only lead forward. SPEC §4.1 */
export function cursorLinks({ limit, nextCursor }: { limit: number; nextCursor: string | undefined }): PageLinks {
  return { first: { limit }, ...(nextCursor !== undefined && { next: { limit, cursor: nextCursor } }) };
}

/**
 * Formats `Link`: `</items?color=red&page=2&per_page=20>; rel="next"`, one reference for each relation. Repeats the
 * other parameters of the request in order.
 * @param path Of the collection, absolute and percent-encoded: `/items`.
 * @param pairs The decoded query string, accepted by `parseListQuery`.
 * @returns At most 4096 characters, with fewer relations if needed; undefined without any.
 * @see RFC 8288, SPEC §4.1
 */
export function linkHeader(
  path: string,
  pairs: readonly (readonly [name: string, value: string])[],
  links: PageLinks,
): string | undefined {
  return linkHeaderTo(linkTarget(path, pairs), links);
}

/** The start of all links of a list: its path and the parameters other than paging. */
export function linkTarget(path: string, pairs: readonly (readonly [name: string, value: string])[]): string {
  const kept = pairs.filter(([name]) => !PAGING_PARAMETERS.includes(name));
  return `${path}?${kept.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}&`).join('')}`;
}

/** Like {@link linkHeader}. @param target From {@link linkTarget}. */
export function linkHeaderTo(target: string, links: PageLinks): string | undefined {
  for (let left = 0; left < DISPENSABLE.length; left += 1) {
    const header = referencesTo(target, links, DISPENSABLE.slice(0, left));
    if (header.length <= MAX_LINK_LENGTH) return header === '' ? undefined : header;
  }
  return undefined;
}

function referencesTo(target: string, links: PageLinks, leftOut: readonly PageRelation[]): string {
  let header = '';
  for (const relation of RELATIONS) {
    const paging = links[relation];
    if (paging === undefined || leftOut.includes(relation)) continue;
    let query = '';
    for (const name of Object.keys(paging))
      query += `${query === '' ? '' : '&'}${name}=${encodeURIComponent(paging[name] ?? '')}`;
    header += `${header === '' ? '' : ', '}<${target}${query}>; rel="${relation}"`;
  }
  return header;
}

import { lastPage, type OffsetPosition } from './offset-window.js';

/** Relations of a page to others. RFC 8288 §3.3, SPEC §4.1 */
export type PageRelation = 'first' | 'prev' | 'next' | 'last';
/** For each relation that is known, the paging parameters that lead there. */
export type PageLinks = Readonly<Partial<Record<PageRelation, Readonly<Record<string, string | number>>>>>;

const RELATIONS: readonly PageRelation[] = ['first', 'prev', 'next', 'last'];
/** Longest `Link` in characters: with it, all headers of an answer stay below what clients and proxies accept. */
const MAX_LINK_LENGTH = 4096;
/** What is left out first where a request's own parameters are too long to repeat them four times. */
const DISPENSABLE: readonly PageRelation[] = ['last', 'prev', 'first', 'next'];
const PAGING_PARAMETERS: readonly string[] = ['page', 'per_page', 'cursor', 'limit'];

/** Where a page in offset style leads. From past the end, `prev` is the last page. SPEC §4.1 */
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

/** Where a page in cursor style leads: a walk goes forward only. SPEC §4.1 */
export function cursorLinks({ limit, nextCursor }: { limit: number; nextCursor: string | undefined }): PageLinks {
  return { first: { limit }, ...(nextCursor !== undefined && { next: { limit, cursor: nextCursor } }) };
}

/**
 * The value of `Link`: `</items?color=red&page=2&per_page=20>; rel="next"`, one reference for each relation. What the
 * request said beside paging stays, in its order.
 * @param path of the collection, absolute and percent-encoded: `/items`.
 * @param pairs the query string of the request, decoded, as `parseListQuery` accepted it.
 * @returns at most 4096 characters: of a request that is too long, some relations are left out; undefined if all are.
 * @see RFC 8288, SPEC §4.1
 */
export function linkHeader(
  path: string,
  pairs: readonly (readonly [name: string, value: string])[],
  links: PageLinks,
): string | undefined {
  return linkHeaderTo(linkTarget(path, pairs), links);
}

/** How each link of a list begins: its path, and what the request said beside paging. */
export function linkTarget(path: string, pairs: readonly (readonly [name: string, value: string])[]): string {
  const kept = pairs.filter(([name]) => !PAGING_PARAMETERS.includes(name));
  return `${path}?${kept.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}&`).join('')}`;
}

/** The same as {@link linkHeader}. @param target as {@link linkTarget} has made it. */
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

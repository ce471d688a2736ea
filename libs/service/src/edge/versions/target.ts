import { parseQuery } from '@items/conventions';
import type { Target } from './change.js';

/** @returns undefined where the query is not percent-encoded UTF-8, which the edge refuses. */
export function parseTarget(url: string): Target | undefined {
  const start = url.indexOf('?');
  try {
    return start === -1
      ? { path: url, query: [] }
      : { path: url.slice(0, start), query: parseQuery(url.slice(start + 1)) };
  } catch {
    return undefined;
  }
}

/** As a URL without a host. */
export function spellTarget({ path, query }: Target): string {
  if (query.length === 0) return path;
  return `${path}?${query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')}`;
}

/** @param header as `linkHeader` of `@items/paging` writes it: no `<` or `>` stands inside a target. */
export function turnLinks(header: string, turn: (target: Target) => Target): string {
  const turnFirst = (part: string, index: number): string => {
    const end = part.indexOf('>');
    return index === 0 || end === -1 ? part : turnTarget(part.slice(0, end), turn) + part.slice(end);
  };
  return header.split('<').map(turnFirst).join('<');
}

/** Byte for byte the same where nothing is turned. */
export function turnTarget(url: string, turn: (target: Target) => Target): string {
  const target = parseTarget(url);
  if (target === undefined) return url;
  const turned = turn(target);
  return turned === target ? url : spellTarget(turned);
}

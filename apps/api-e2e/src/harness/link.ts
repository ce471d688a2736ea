import type { Answer } from '@items/testing';

/** The targets of a `Link` header by relation, as path and query. @see RFC 8288 */
export function linksOf(answer: Answer): Record<string, string> {
  const links = [...(answer.header('link') ?? '').matchAll(/<([^>]*)>\s*;\s*rel="?([a-z ]+)"?/g)];
  return Object.fromEntries(
    links.map(([, target = '', relation = '']) => {
      const { pathname, search } = new URL(target, 'http://service.example/items');
      return [relation, pathname + search];
    }),
  );
}

import fc from 'fast-check';

import { cursorLinks, linkHeader, offsetLinks } from './link-header.js';

const relations = (links: object) => Object.keys(links).join(' ');

describe('SPEC §4.1: lists carry a Link header (RFC 8288: first, prev, next, last where known)', () => {
  it('keeps the other parameters of the request', () => {
    const pairs = [
      ['page', '2'],
      ['color', 'red,blue'],
      ['sort', '-price'],
    ] as const;
    expect(linkHeader('/items', pairs, offsetLinks({ page: 2, perPage: 20, total: 45 }))).toBe(
      [
        '</items?color=red%2Cblue&sort=-price&page=1&per_page=20>; rel="first"',
        '</items?color=red%2Cblue&sort=-price&page=1&per_page=20>; rel="prev"',
        '</items?color=red%2Cblue&sort=-price&page=3&per_page=20>; rel="next"',
        '</items?color=red%2Cblue&sort=-price&page=3&per_page=20>; rel="last"',
      ].join(', '),
    );
  });

  it('leads to the first and the next page in cursor style', () => {
    const pairs = [
      ['limit', '500'],
      ['cursor', 'old'],
      ['color', 'red'],
    ] as const;
    expect(linkHeader('/items', pairs, cursorLinks({ limit: 100, nextCursor: 'new' }))).toBe(
      '</items?color=red&limit=100>; rel="first", </items?color=red&limit=100&cursor=new>; rel="next"',
    );
  });

  it('has no next page on the last one', () => {
    expect(relations(cursorLinks({ limit: 5, nextCursor: undefined }))).toBe('first');
  });

  it.each([
    [{ page: 1, perPage: 20, total: 0 }, 'first last'],
    [{ page: 1, perPage: 20, total: 20 }, 'first last'],
    [{ page: 1, perPage: 20, total: 21 }, 'first next last'],
    [{ page: 2, perPage: 20, total: 21 }, 'first prev last'],
    [{ page: 9, perPage: 20, total: 21 }, 'first prev last'],
  ])('%j knows %s', (position, known) => {
    expect(relations(offsetLinks(position))).toBe(known);
  });

  it('omits relations, the next page last, if the request is too long to repeat it', () => {
    const known = (length: number) =>
      [
        ...(
          linkHeader('/items', [['color', 'x'.repeat(length)]], offsetLinks({ page: 2, perPage: 20, total: 60 })) ?? ''
        ).matchAll(/rel="(\w+)"/g),
      ].map(([, relation]) => relation);
    expect(known(900)).toEqual(['first', 'prev', 'next', 'last']);
    expect(known(1100)).toEqual(['first', 'prev', 'next']);
    expect(known(1900)).toEqual(['first', 'next']);
    expect(known(3900)).toEqual(['next']);
    expect(known(4200)).toEqual([]);
  });

  it('leads back to the last page from past the end', () => {
    expect(offsetLinks({ page: 2 ** 53 - 1, perPage: 20, total: 21 }).prev).toEqual({ page: 2, per_page: 20 });
    expect(offsetLinks({ page: 7, perPage: 20, total: 0 }).prev).toEqual({ page: 1, per_page: 20 });
  });

  it('is printable ASCII that cannot leave its angle brackets, for every value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        const header = linkHeader('/items', [['color', value]], { first: { page: 1 } }) ?? '';
        expect(header).toMatch(/^<\/items\?color=[\w!'()*.~%-]*&page=1>; rel="first"$/);
        const query = new URLSearchParams(header.slice(header.indexOf('?') + 1, header.indexOf('>')));
        expect(query.get('color')).toBe(value);
      }),
    );
  });
});

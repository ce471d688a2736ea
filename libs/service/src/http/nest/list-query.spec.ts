import { InvalidCursorError, parseQuery } from '@items/conventions';
import { linkTarget, oneOf, parseListQuery, type ListRules } from '@items/paging';
import fc from 'fast-check';

import { type ListedRequest, type ListQuery, listRequestOf } from './list-query.js';

const rules: ListRules = { sortable: ['price', 'name'], filters: { color: oneOf(['red', 'blue']) } };

function outcome(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return String(error);
  }
}

const part = fc.oneof(
  fc.constantFrom('limit=20', 'limit=5', 'page=2', 'per_page=3', 'sort=price', 'sort=-name', 'color=red', 'color=blue'),
  fc.constantFrom('cursor=abc', 'cursor=d-e_f', 'cursor=', 'cursor=a%20b', 'cursor=a+b', 'c%75rsor=abc', 'Cursor=x'),
  fc.constantFrom('xcursor=abc', 'sort=cursor=', '', 'odd', `cursor=${'x'.repeat(4097)}`),
);

function listQueryOf(url: string, path: string): ListQuery {
  const request = { raw: { url }, credentialId: '', callerId: '' } as unknown as ListedRequest;
  const { request: asked, linkTarget: target } = listRequestOf(request, path, rules);
  const { caller: _caller, reader: _reader, arrivedAtMs: _arrivedAtMs, ...rest } = asked;
  return { request: rest, linkTarget: target };
}

describe('The query of a list', () => {
  it('has the same result after any earlier query', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
        const query = parts.join('&');
        const pairs = parseQuery(query);
        const expected = outcome(() => ({
          request: parseListQuery(pairs, rules),
          linkTarget: linkTarget('/things', pairs),
        }));
        expect(outcome(() => listQueryOf(`/things?${query}`, '/things'))).toEqual(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it('is parsed once for all pages', () => {
    const [first, second] = ['one', 'two'].map((cursor) =>
      listQueryOf(`/things?limit=7&cursor=${cursor}&sort=price`, '/things'),
    );
    expect(second?.request).toMatchObject({ limit: 7, cursor: 'two' });
    expect(second?.request.filter).toBe(first?.request.filter);
  });

  it('has no cursor in its path', () => {
    const { request } = listQueryOf('/a&cursor=b/things?limit=7', '/a&cursor=b/things');
    expect(request).not.toHaveProperty('cursor');
  });

  it('validates each cursor', () => {
    listQueryOf('/things?limit=7&cursor=one', '/things');
    expect(() => listQueryOf('/things?limit=7&cursor=', '/things')).toThrow(InvalidCursorError);
  });
});

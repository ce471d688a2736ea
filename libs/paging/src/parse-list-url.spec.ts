import { MalformedRequestError } from '@items/conventions';

import { textFilter } from './filter-rule.js';
import { parseListUrl } from './parse-list-url.js';

const RULES = { sortable: ['name'], filters: { color: textFilter({ max: 20 }) } };

describe('The query of a list, from the target of a request', () => {
  it('holds the request, its path, and its parameters as they were sent', () => {
    expect(parseListUrl('/items?color=light+blue&limit=5', RULES)).toMatchObject({
      ...{ style: 'cursor', limit: 5, filter: { color: ['light blue'] }, path: '/items' },
      pairs: [
        ['color', 'light blue'],
        ['limit', '5'],
      ],
    });
  });

  it.each([
    ['http://host:80/items?limit=5', '/items'],
    ['//elsewhere/items', '/elsewhere/items'],
    ['/it>ems', '/it%3Eems'],
    ['/b%C3%A4r', '/b%C3%A4r'],
  ])('%s has the path %s, which a link can hold', (url, path) => {
    expect(parseListUrl(url, RULES).path).toBe(path);
  });

  it('refuses a query that is not percent-encoded UTF-8', () => {
    expect(() => parseListUrl('/items?color=%FF', RULES)).toThrow(MalformedRequestError);
  });
});

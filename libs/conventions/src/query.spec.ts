import { parseQuery } from './query.js';

describe('query strings', () => {
  it.each([
    ['', []],
    [
      'a=1&b=2',
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ],
    [
      'a=1&a=2',
      [
        ['a', '1'],
        ['a', '2'],
      ],
    ],
    [
      'a=b=c&&d',
      [
        ['a', 'b=c'],
        ['d', ''],
      ],
    ],
    ['a%5B%5D=x+y%2Bz', [['a[]', 'x y+z']]],
    ['__proto__=1', [['__proto__', '1']]],
    ['%C3%A9=%00', [['é', '\0']]],
  ])('reads %p', (text, pairs) => {
    expect(parseQuery(text)).toEqual(pairs);
  });
});

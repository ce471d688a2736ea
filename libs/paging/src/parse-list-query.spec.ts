import { ApiError } from '@items/conventions';
import fc from 'fast-check';

import { booleanFilter, oneOf, parseListQuery, textFilter, type ListRules } from './index.js';

const RULES: ListRules = {
  sortable: ['name', 'color', 'price'],
  filters: { color: textFilter({ max: 5 }), disabled: booleanFilter, role: oneOf(['admin', 'viewer']) },
};

type Pair = readonly [string, string];

const parse = (query: string) => parseListQuery([...new URLSearchParams(query)], RULES);

function refusalOf(query: string | readonly Pair[]): ApiError {
  try {
    parseListQuery(typeof query === 'string' ? [...new URLSearchParams(query)] : query, RULES);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error(`${String(query)} was accepted`);
}

describe('SPEC §4.1: limit or cursor selects cursor style, otherwise offset style', () => {
  it('the default is the first page of 20 in offset style', () => {
    expect(parse('')).toStrictEqual({ style: 'offset', page: 1, perPage: 20, sort: [], filter: {} });
  });

  it.each(['page=2', 'per_page=7', 'sort=name', 'color=red'])('%s is offset style', (query) => {
    expect(parse(query).style).toBe('offset');
  });

  it('takes page and per_page', () => {
    expect(parse('page=3&per_page=7')).toMatchObject({ page: 3, perPage: 7 });
  });

  it('takes limit alone, for the first page', () => {
    expect(parse('limit=7')).toStrictEqual({ style: 'cursor', limit: 7, sort: [], filter: {} });
  });

  it('takes cursor alone, with the default limit', () => {
    expect(parse('cursor=abc')).toStrictEqual({ style: 'cursor', limit: 20, cursor: 'abc', sort: [], filter: {} });
  });

  it.each([
    ['page=1&limit=5', 'page'],
    ['cursor=abc&per_page=5', 'per_page'],
    ['per_page=5&page=1&cursor=abc', 'page'],
  ])('%s mixes them: 400 naming %s', (query, field) => {
    expect(refusalOf(query).details).toMatchObject([{ field, code: 'mixed_styles' }]);
  });
});

describe('SPEC §8, §4.1: per_page and limit are 1–100; more than 100 is served as 100', () => {
  it.each([
    ['1', 1],
    ['100', 100],
    ['101', 100],
    ['007', 7],
    ['9'.repeat(400), 100],
  ])('%s is %d', (text, size) => {
    expect(parse(`per_page=${text}`)).toMatchObject({ perPage: size });
    expect(parse(`limit=${text}`)).toMatchObject({ limit: size });
  });

  it.each([
    ['per_page=20', 20, 20],
    ['per_page=21', 20, 20],
    ['limit=100', 20, 20],
    ['', 20, 20],
    ['', 5, 5],
    ['limit=6', 5, 5],
  ])('a list with a lower maximum caps at it: %j of at most %d is %d', (query, maxPageSize, size) => {
    const page = parseListQuery([...new URLSearchParams(query)], { sortable: [], filters: {}, maxPageSize });
    expect(page.style === 'offset' ? page.perPage : page.limit).toBe(size);
  });

  it.each([
    '',
    '0',
    '000',
    '-1',
    '%2B1',
    '1.5',
    '1.0',
    '1e2',
    '0x10',
    ' 1',
    '1 ',
    'NaN',
    'Infinity',
    'ten',
    '１',
    '1_0',
  ])('"%s" is 400 naming the parameter', (text) => {
    for (const name of ['per_page', 'limit', 'page']) {
      const { status, code, details } = refusalOf(`${name}=${text}`);
      expect({ status, code, field: details[0]?.field }).toEqual({ status: 400, code: 'invalid_query', field: name });
    }
  });
});

describe('SPEC §4.1: page is 1 … 2^53 − 1', () => {
  it('takes 2^53 − 1', () => {
    expect(parse('page=9007199254740991')).toMatchObject({ page: Number.MAX_SAFE_INTEGER });
  });

  it.each(['9007199254740992', '9007199254740993', '9'.repeat(400)])('%s is 400', (text) => {
    expect(refusalOf(`page=${text}`).details).toMatchObject([{ field: 'page', code: 'out_of_range' }]);
  });
});

describe('SPEC §4.1: sort', () => {
  it('is one or more fields, - for descending', () => {
    expect(parse('sort=-price,name').sort).toEqual([
      { field: 'price', descending: true },
      { field: 'name', descending: false },
    ]);
  });

  it.each([
    '',
    ',',
    'name,',
    ',name',
    '-',
    '--price',
    '+price',
    'Price',
    ' price',
    'size',
    'constructor',
    'price desc',
  ])('"%s" is an unknown sort: 400', (sort) => {
    expect(refusalOf([['sort', sort]]).details).toMatchObject([{ field: 'sort', code: 'unknown_sort' }]);
  });

  it.each(['name,name', 'name,-name', 'price,name,-price'])('%s names a field twice: 400', (sort) => {
    expect(refusalOf([['sort', sort]]).details).toMatchObject([{ field: 'sort', code: 'repeated_sort' }]);
  });
});

describe('SPEC §4.1: color=red exact, color=red,blue either', () => {
  it('has one form for any order and repetitions', () => {
    expect(parse('color=red,blue,red').filter).toEqual({ color: ['blue', 'red'] });
    expect(JSON.stringify(parse('role=admin&color=b,a').filter)).toBe(
      JSON.stringify(parse('color=a,b,a&role=admin').filter),
    );
  });

  it('stores booleans as 1 and 0', () => {
    expect(parse('disabled=true,false').filter).toEqual({ disabled: [0, 1] });
  });

  it('counts code points', () => {
    expect(parse('color=😀😀😀😀😀').filter).toEqual({ color: ['😀😀😀😀😀'] });
  });

  it.each([
    ['color', '', 'empty'],
    ['color', 'red,', 'empty'],
    ['color', ',', 'empty'],
    ['color', 'r\0d', 'contains_nul'],
    ['color', 'r\ud800', 'invalid_unicode'],
    ['role', 'root', 'not_allowed'],
    ['disabled', 'yes', 'not_allowed'],
    ['disabled', 'constructor', 'not_allowed'],
    ['disabled', 'TRUE', 'not_allowed'],
  ])('%s=%j is 400, %s', (name, value, code) => {
    const refusal = refusalOf([[name, value]]);
    expect(refusal.details).toMatchObject([{ field: name, code }]);
    expect(refusal.message).toContain(`"${name}"`);
  });
});

describe('SPEC §7: a filter value that is too long', () => {
  it.each(['orange', 'red,orange', '😀😀😀😀😀😀'])('%s is too_long, and the response says the maximum', (value) => {
    const message = 'Each element of "color" must be at most 5 characters long.';
    expect(refusalOf([['color', value]])).toMatchObject({
      status: 400,
      details: [{ field: 'color', code: 'too_long', message, params: { max: 5 } }],
    });
  });
});

describe('SPEC §4.1: more than 32 combinations of filter values are 400 too_many_values', () => {
  const rules: ListRules = { ...RULES, filters: { ...RULES.filters, size: textFilter({ max: 5 }) } };
  const colors = (count: number): string => Array.from({ length: count }, (_, index) => `c${String(index)}`).join(',');
  const parseBy = (color: string, size = 's'): unknown =>
    parseListQuery(
      [
        ['color', color],
        ['size', size],
      ],
      rules,
    );

  it('takes 32 values of one filter, and 16 by 2 of two', () => {
    expect(parseBy(colors(32))).toMatchObject({ style: 'offset' });
    expect(parseBy(colors(16), 's,m')).toMatchObject({ style: 'offset' });
  });

  it('counts a value that is given twice once', () => {
    expect(parseBy(`${colors(32)},${colors(32)}`)).toMatchObject({ style: 'offset' });
  });

  it.each([
    ['33 values of one filter', colors(33), 's'],
    ['11 by 3 of two filters', colors(11), 's,m,l'],
  ])('refuses %s, and names the limit', (_, color, size) => {
    expect(() => parseBy(color, size)).toThrow(
      expect.objectContaining({ status: 400, code: 'too_many_values', message: expect.stringContaining('32') }),
    );
  });
});

describe('SPEC §4.1: unknown parameter, a parameter given twice, color[]=: 400, naming it', () => {
  it.each(['size', 'color[]', 'color[0]', 'Color', '', '__proto__', 'constructor', 'toString', 'filters', 'a\0b'])(
    '%j is unknown',
    (name) => {
      const { details } = refusalOf([[name, 'x']]);
      expect(details).toMatchObject([{ field: name.replace('\0', '\uFFFD'), code: 'unknown_parameter' }]);
    },
  );

  it('cuts a long name at 64 characters', () => {
    expect(refusalOf([['x'.repeat(5_000), '1']]).details[0]?.field).toBe('x'.repeat(64));
  });

  it.each(['page', 'per_page', 'cursor', 'limit', 'sort', 'color'])('%s given twice', (name) => {
    const { details } = refusalOf([
      [name, '1'],
      [name, '1'],
    ]);
    expect(details).toMatchObject([{ field: name, code: 'repeated_parameter' }]);
  });
});

describe('SPEC §4.2: the cursor is at most 4096 characters', () => {
  it('takes 4096', () => {
    expect(parse(`cursor=${'A'.repeat(4096)}`)).toMatchObject({ cursor: 'A'.repeat(4096) });
  });

  it.each(['', 'A'.repeat(4097)])('400 otherwise', (cursor) => {
    expect(refusalOf([['cursor', cursor]]).code).toBe('invalid_cursor');
  });
});

describe('SPEC §7: a given request must produce the same error each time', () => {
  it('reports the first of a fixed order if several things are wrong', () => {
    const faults: readonly Pair[] = [
      ['color', ''],
      ['sort', 'x'],
      ['page', '0'],
      ['limit', '0'],
      ['nope', '1'],
    ];
    const reported = faults.map((_, index) => refusalOf(faults.slice(0, faults.length - index)).details[0]);
    expect(reported.map((detail) => [detail?.field, detail?.code])).toEqual([
      ['nope', 'unknown_parameter'],
      ['page', 'mixed_styles'],
      ['page', 'out_of_range'],
      ['sort', 'unknown_sort'],
      ['color', 'empty'],
    ]);
  });

  it('accepts or returns 400 for any query', () => {
    const name = fc.oneof(
      fc.constantFrom('page', 'per_page', 'cursor', 'limit', 'sort', 'color', 'disabled', 'role'),
      fc.string({ unit: 'binary' }),
    );
    const value = fc.oneof(fc.constantFrom('1', 'name', '-price', 'true', 'red,blue'), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 5 }), (pairs) => {
        try {
          parseListQuery(pairs, RULES);
        } catch (error) {
          expect(error).toMatchObject({ status: 400 });
          expect(refusalOf(pairs).toBody()).toEqual((error as ApiError).toBody());
        }
      }),
    );
  });
});

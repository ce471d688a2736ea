import { ApiError } from '@items/conventions';
import fc from 'fast-check';

import {
  doubleRange,
  type ListRules,
  parseListQuery,
  parseRange,
  prefixRange,
  type RangeRule,
  textFilter,
  timeRange,
  wholeNumberRange,
} from './index.js';

const RULES: ListRules = {
  sortable: ['name', 'price', 'created_at', 'size'],
  filters: { color: textFilter({ max: 5 }), size_max: textFilter({ max: 5 }) },
  ranges: {
    name: prefixRange,
    price: wholeNumberRange({ decimals: 2 }),
    created_at: timeRange,
    size: wholeNumberRange(),
  },
};

const parse = (query: string, rules = RULES) => parseListQuery([...new URLSearchParams(query)], rules);

function refusalOf(work: () => unknown): ApiError {
  try {
    work();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('It was accepted.');
}

/** Returns the bounds of a column for the given range parameters. */
function boundsOf(rule: RangeRule, given: Record<string, string>): unknown {
  return parseRange('f', rule, new Map(Object.entries(given).map(([end, text]) => [`f_${end}`, text])));
}

describe('SPEC §4.1: a range is on the first field of sort', () => {
  it('without sort, a range on exactly one field sorts by it; it selects cursor style', () => {
    expect(parse('price_min=10&price_max=20')).toStrictEqual({
      style: 'cursor',
      limit: 20,
      sort: [{ field: 'price', descending: false }],
      filter: {},
      range: { field: 'price', min: 1000, max: 2000 },
    });
  });

  it('further sort fields, filters, a descending order, limit and cursor can be combined with it', () => {
    const query = 'sort=-price,name&price_min=1&color=red&limit=7&cursor=abc';
    expect(parse(query)).toMatchObject({
      ...{ style: 'cursor', limit: 7, cursor: 'abc', filter: { color: ['red'] } },
      sort: [
        { field: 'price', descending: true },
        { field: 'name', descending: false },
      ],
      range: { field: 'price', min: 100 },
    });
  });

  it.each([
    ['sort=name&price_min=1', 'price_min', 'other_sort', /"sort=price" or "sort=-price"/],
    ['sort=name,price&price_max=1', 'price_max', 'other_sort', /"sort=price"/],
    ['price_min=1&name_prefix=B', 'name_prefix', 'several_fields', /"name_prefix" and "price_min".*"sort"/],
    ['sort=price&name_prefix=B&price_max=1', 'name_prefix', 'several_fields', /"sort"/],
    ['price_min=1&page=1', 'price_min', 'offset_style', /cursor style: leave out "page".*"limit"/],
    ['per_page=1&sort=price&price_max=1', 'price_max', 'offset_style', /leave out "per_page"/],
  ])('%s is 400 invalid_range', (query, field, code, sentence) => {
    const error = refusalOf(() => parse(query));
    expect(error).toMatchObject({ status: 400, code: 'invalid_range', message: expect.stringMatching(sentence) });
    expect(error.details).toStrictEqual([{ field, code, message: error.message }]);
  });

  it.each([
    ['price_prefix=1', 'price_prefix', 'unknown_parameter'],
    ['name_min=1', 'name_min', 'unknown_parameter'],
    ['color_prefix=r', 'color_prefix', 'unknown_parameter'],
    ['_min=1', '_min', 'unknown_parameter'],
    ['__proto___min=1', '__proto___min', 'unknown_parameter'],
    ['price_min=1&price_min=1', 'price_min', 'repeated_parameter'],
    ['price_min=', 'price_min', 'wrong_type'],
    ['price_min=1&limit=1&page=1', 'page', 'mixed_styles'],
  ])('%s is 400 naming %s', (query, field, code) => {
    expect(refusalOf(() => parse(query))).toMatchObject({ code: 'invalid_query', details: [{ field, code }] });
  });

  it('a filter of the same name takes precedence', () => {
    expect(parse('size_max=abc')).toMatchObject({ style: 'offset', filter: { size_max: ['abc'] } });
  });

  it('a list whose rules have no ranges refuses the parameters', () => {
    const rules = { sortable: ['price'], filters: {} };
    expect(refusalOf(() => parse('price_min=1', rules))).toMatchObject({ details: [{ code: 'unknown_parameter' }] });
  });
});

describe('SPEC §4.1: numbers have the grammar of JSON and are compared exactly, with any decimals', () => {
  const cents = wholeNumberRange({ decimals: 2 });

  it.each([
    ['10', 1000, 1000],
    ['10.5', 1050, 1050],
    ['1e2', 10_000, 10_000],
    ['1E+2', 10_000, 10_000],
    ['1.005', 101, 100],
    ['0.1e1', 100, 100],
    ['99999999999.999', 9_999_999_999_999 + 1, 9_999_999_999_999],
    ['-0', 0, 0],
    ['-0.001', 0, -1],
    ['-1.5', -150, -150],
    ['0.00000000000000000000000000001', 1, 0],
    ['1e-400', 1, 0],
    ['1e400', 2 ** 53, 2 ** 53],
    ['-1e400', -(2 ** 53), -(2 ** 53)],
    [`1e${'9'.repeat(38)}`, 2 ** 53, 2 ** 53],
    [`1e-${'9'.repeat(37)}`, 1, 0],
    [`0.${'0'.repeat(37)}1`, 1, 0],
    [`${'9'.repeat(36)}e-35`, 1000, 999],
    ['0e999', 0, 0],
    ['90071992547409.91', 2 ** 53 - 1, 2 ** 53 - 1],
    ['90071992547409.915', 2 ** 53, 2 ** 53 - 1],
  ])('%.30s of an amount in cents', (text, min, max) => {
    expect(boundsOf(cents, { min: text, max: text })).toStrictEqual({ min, max });
  });

  it.each([
    ...['', ' 1', '1 ', '+1', '01', '.5', '5.', '1e', '1e 2', '0x10', 'NaN', 'Infinity', '1_000', '1,5', '١', '--1'],
    `${'1'.repeat(5000)}x`,
  ])('%.20s is no number', (text) => {
    for (const rule of [cents, wholeNumberRange(), doubleRange]) {
      expect(refusalOf(() => boundsOf(rule, { min: text })).details).toMatchObject([{ field: 'f_min' }]);
    }
  });

  it('whole numbers: agrees with the arithmetic of big integers', () => {
    const decimals = fc.tuple(fc.bigInt(-(10n ** 17n), 10n ** 17n), fc.integer({ min: 0, max: 20 }));
    fc.assert(
      fc.property(decimals, ([digits, places]) => {
        const scale = 10n ** BigInt(places);
        const floor = digits / scale - (digits % scale !== 0n && digits < 0n ? 1n : 0n);
        const ceil = floor + (digits % scale === 0n ? 0n : 1n);
        const clamped = (value: bigint): number => Math.max(-(2 ** 53), Math.min(2 ** 53, Number(value)));
        const text = `${String(digits)}e-${String(places)}`;
        const expected = { min: clamped(ceil), max: clamped(floor) };
        expect(boundsOf(wholeNumberRange(), { min: text, max: text })).toStrictEqual(expected);
      }),
    );
  });

  it.each([
    ['0.1', 0.1, 0.1],
    ['0.10000000000000000001', 0.10000000000000002, 0.1],
    ['0.09999999999999999999', 0.1, 0.09999999999999999],
    ['1e400', Infinity, Infinity],
    ['1e-400', Number.MIN_VALUE, 0],
    ['-1e-400', 0, -Number.MIN_VALUE],
    ['1e21', 1e21, 1e21],
  ])('%s of a double, as doubles are shown', (text, min, max) => {
    expect(boundsOf(doubleRange, { min: text, max: text })).toEqual({ min, max });
  });

  it('a double is in the range of its own shown form', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = JSON.stringify(value);
        expect(boundsOf(doubleRange, { min: text, max: text })).toEqual({ min: value + 0, max: value + 0 });
      }),
    );
  });
});

describe('SPEC §4.1: times are RFC 3339; finer fractions are compared, not rounded', () => {
  const at = Date.UTC(2026, 10, 1, 9, 30, 0, 123);

  it.each([
    ['2026-11-01T09:30:00.123Z', at, at],
    ['2026-11-01t09:30:00.123z', at, at],
    ['2026-11-01T11:30:00.123+02:00', at, at],
    ['2026-11-01T09:30:00.123000000Z', at, at],
    ['2026-11-01T09:30:00.1230000000000000001Z', at + 1, at],
    ['2026-11-01T09:30:00.1229999Z', at, at - 1],
    ['2026-11-01T09:30:00Z', at - 123, at - 123],
    ['1969-12-31T23:59:59.9995Z', 0, -1],
    ['2016-12-31T23:59:60Z', Date.UTC(2017, 0, 1), Date.UTC(2017, 0, 1)],
    ['2016-12-31t23:59:60.5z', Date.UTC(2017, 0, 1) + 500, Date.UTC(2017, 0, 1) + 500],
    ['1990-12-31T15:59:60-08:00', Date.UTC(1991, 0, 1), Date.UTC(1991, 0, 1)],
    ['1969-12-31T23:59:60Z', 0, 0],
    ['0000-01-01T00:00:00+01:00', Date.parse('0000-01-01T00:00:00Z') - 3_600_000, expect.any(Number)],
  ])('%s', (text, min, max) => {
    expect(boundsOf(timeRange, { min: text, max: text })).toEqual({ min, max });
  });

  it.each([
    ...['', '2026-11-01', '2026-11-01T09:30Z', '2026-11-01T09:30:00', '2026-11-01 09:30:00Z', '2026-02-30T00:00:00Z'],
    ...['2026-11-01T09:30:60Z', '2016-12-31T23:58:60Z', '2016-12-31T23:59:60+01:00', '2016-12-31T23:59:61Z'],
    ...['2016-12-31T23:60:00Z', '2016-12-31T00:00:60Z', '2016-02-30T23:59:60Z'],
    ...['2026-11-01T24:00:00Z', '2026-11-01T09:30:00 02:00', '2026-11-01T09:30:00.Z', '1793491200000', 'now'],
  ])('%s is none', (text) => {
    const error = refusalOf(() => boundsOf(timeRange, { max: text }));
    expect(error).toMatchObject({ code: 'invalid_query', details: [{ field: 'f_max', code: 'wrong_format' }] });
  });
});

describe('SPEC §4.1: a bound is at most 40 characters long', () => {
  it.each([
    ['a whole number', wholeNumberRange(), (length: number) => `1.${'0'.repeat(length - 2)}`],
    ['a double', doubleRange, (length: number) => `1.${'0'.repeat(length - 2)}`],
    ['a time', timeRange, (length: number) => `2026-11-01T09:30:00.${'0'.repeat(length - 21)}Z`],
  ])('%s', (_, rule, textOf) => {
    for (const end of ['min', 'max']) {
      expect(boundsOf(rule, { [end]: textOf(40) })).toHaveProperty(end);
      for (const length of [41, 5000]) {
        const error = refusalOf(() => boundsOf(rule, { [end]: textOf(length) }));
        expect(error).toMatchObject({ status: 400, code: 'invalid_query' });
        expect(error.details).toMatchObject([{ field: `f_${end}`, code: 'too_long', params: { max: 40 } }]);
      }
    }
  });
});

describe('SPEC §4.1: a prefix is 1–200 characters, by code points', () => {
  it.each([
    ['Blue', 'Bluf'],
    [' ', '!'],
    ['é', 'ê'],
    ['\uD7FF', '\uE000'],
    ['\uFFFF', '\u{10000}'],
    ['a\u{10FFFF}', 'b'],
    ['a\u{10FFFF}\u{10FFFF}', 'b'],
    ['\u{1F600}', '\u{1F601}'],
    ['a%_\\', 'a%_]'],
  ])('%j ends before %j', (prefix, below) => {
    expect(boundsOf(prefixRange, { prefix })).toStrictEqual({ min: prefix, below });
  });

  it('a prefix of U+10FFFF only has no upper bound', () => {
    expect(boundsOf(prefixRange, { prefix: '\u{10FFFF}' })).toStrictEqual({ min: '\u{10FFFF}' });
  });

  it.each([
    ['', 'empty'],
    ['a\0b', 'contains_nul'],
    ['\uD800', 'invalid_unicode'],
    ['😀'.repeat(201), 'too_long'],
  ])('%.10j is refused as %s', (prefix, code) => {
    expect(refusalOf(() => boundsOf(prefixRange, { prefix })).details).toMatchObject([{ field: 'f_prefix', code }]);
  });

  it('counts a character outside the first plane once', () => {
    const prefix = '😀'.repeat(200);
    expect(boundsOf(prefixRange, { prefix })).toMatchObject({ min: prefix });
  });

  it('a text is in the range if and only if it begins with the prefix', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\uD7FF', '\uE000', '\uFFFF', '\u{10FFFF}') });
    const bytes = (value: string): Buffer => Buffer.from(value);
    fc.assert(
      fc.property(fc.tuple(text, text), ([prefix, other]) => {
        fc.pre(prefix !== '');
        const { min, below } = boundsOf(prefixRange, { prefix }) as { min: string; below?: string };
        const isBehindStart = Buffer.compare(bytes(other), bytes(min)) >= 0;
        const isWithin = isBehindStart && (below === undefined || Buffer.compare(bytes(other), bytes(below)) < 0);
        expect(isWithin).toBe(other.startsWith(prefix));
      }),
    );
  });
});

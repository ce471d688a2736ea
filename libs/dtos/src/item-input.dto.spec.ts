import { ValidationError } from '@items/conventions';
import { validate } from '@items/fields';
import fc from 'fast-check';

import { ItemInputDto } from './index.js';

const accept = (body: unknown) => validate(ItemInputDto, body);

/** `field code` of every detail. */
function faultsOf(body: unknown): string[] {
  try {
    accept(body);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return error.details.map(({ field, code }) => `${field} ${code}`);
  }
  return [];
}

const withName = (rest: object) => ({ name: 'Blue mug', ...rest });

describe('SPEC §4 rule 5: a create request missing name returns 422', () => {
  it('the message names the field', () => {
    expect(() => accept({})).toThrow(
      expect.objectContaining({ status: 422, code: 'validation_failed', message: '"name" is required.' }),
    );
  });

  it.each([[null], [[]], ['name'], [1], [true], [undefined]])('a body that is not an object (%j) is 422', (body) => {
    expect(() => accept(body)).toThrow(expect.objectContaining({ status: 422 }));
    expect(faultsOf(body)).toEqual([' wrong_type']);
  });
});

describe('SPEC §2.1: name is a string of 1–200 characters after trimming', () => {
  it.each([null, 1, true, [], {}, ['a']])('%j is of the wrong type', (name) => {
    expect(faultsOf({ name })).toEqual(['name wrong_type']);
  });

  it('is stored trimmed of all that String.prototype.trim knows as white space', () => {
    expect(accept({ name: ' \t\n\u00a0\u2003\u3000\ufeffa b\u2028\r ' }).name).toBe('a b');
  });

  it.each(['', ' ', '\u00a0\n'])('%j is too short', (name) => {
    expect(faultsOf({ name })).toEqual(['name too_short']);
  });

  it('counts code points, after trimming', () => {
    expect(accept({ name: `  ${'😀'.repeat(200)}  ` }).name).toBe('😀'.repeat(200));
    expect(faultsOf({ name: '😀'.repeat(201) })).toEqual(['name too_long']);
    expect(faultsOf({ name: 'e\u0301'.repeat(100) + 'x' })).toEqual(['name too_long']);
  });
});

describe('SPEC §2.4: strings are valid Unicode without NUL; others are 422', () => {
  it.each(['name', 'description', 'color'])('%s', (field) => {
    for (const text of ['a\ud800', '\udc00a', '\udc00\ud800']) {
      expect(faultsOf(withName({ [field]: text }))).toEqual([`${field} invalid_unicode`]);
    }
    expect(faultsOf(withName({ [field]: 'a\0b' }))).toEqual([`${field} contains_nul`]);
    expect(faultsOf(withName({ [field]: '😀' }))).toEqual([]);
  });
});

describe('SPEC §2.1: description ≤ 2000 or null, color 1–30 without a comma, or null', () => {
  it.each([
    [{ description: '' }, []],
    [{ description: 'x'.repeat(2000) }, []],
    [{ description: 'x'.repeat(2001) }, ['description too_long']],
    [{ description: 5 }, ['description wrong_type']],
    [{ color: '' }, ['color too_short']],
    [{ color: ' ' }, []],
    [{ color: '😀'.repeat(30) }, []],
    [{ color: 'x'.repeat(31) }, ['color too_long']],
    [{ color: 'red,blue' }, ['color not_allowed']],
    [{ color: 'red\n,' }, ['color not_allowed']],
    [{ color: 'red\nblue' }, []],
  ])('%j', (body, faults) => {
    expect(faultsOf(withName(body))).toEqual(faults);
  });
});

describe('SPEC §2.1: price is a number ≥ 0, at most 2 decimals, ≤ 999999999.99, or null', () => {
  it.each([0, 0.01, 0.1, 12.5, 1e2, 4.35, 999_999_999.99])('%d is accepted as it is', (price) => {
    expect(accept(withName({ price })).price).toBe(price);
  });

  it('takes -0 as 0', () => {
    expect(Object.is(accept(withName({ price: -0 })).price, 0)).toBe(true);
  });

  it.each([
    [1.005, 'too_many_decimals'],
    [0.1 + 0.2, 'too_many_decimals'],
    [1e-7, 'too_many_decimals'],
    [5e-324, 'too_many_decimals'],
    [999_999_999.985, 'too_many_decimals'],
    [-0.01, 'out_of_range'],
    [-1e-7, 'out_of_range'],
    [1e9, 'out_of_range'],
    [999_999_999.995, 'out_of_range'],
    [1e308, 'out_of_range'],
    [Infinity, 'wrong_type'],
    [NaN, 'wrong_type'],
    ['12.50', 'wrong_type'],
    [true, 'wrong_type'],
    [[1], 'wrong_type'],
    [10n, 'wrong_type'],
  ])('%p is %s', (price, code) => {
    expect(faultsOf(withName({ price }))).toEqual([`price ${code}`]);
  });

  it('accepts every number of cents, and nothing between', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999_999 }), fc.integer({ min: 1, max: 9 }), (cents, digit) => {
        const written = `${String(Math.floor(cents / 100))}.${String(cents % 100).padStart(2, '0')}`;
        expect(faultsOf(withName({ price: Number(written) }))).toEqual([]);
        expect(faultsOf(withName({ price: Number(`${written}${String(digit)}`) }))).toHaveLength(1);
      }),
    );
  });
});

describe('SPEC §2.4: PUT replaces the whole: an omitted optional field becomes null', () => {
  it('null has the same effect', () => {
    const nulls = { description: null, color: null, price: null };
    expect(accept({ name: 'a' })).toEqual({ name: 'a', ...nulls });
    expect(accept({ name: 'a', ...nulls })).toEqual({ name: 'a', ...nulls });
  });
});

describe('SPEC §2.4: a read-only field that a client sends back is ignored', () => {
  it('it is ignored for any value', () => {
    const item = { id: 7, created_at: null, updated_at: {}, name: 'a', description: null, color: null, price: 1 };
    expect(accept(item)).toEqual({ name: 'a', description: null, color: null, price: 1 });
  });
});

describe('SPEC §2.4: any other unknown field is 422 and is named', () => {
  it.each(['colour', 'Name', '', 'constructor', 'toString', 'hasOwnProperty', 'a.b', 'a\\"b'])('%j', (name) => {
    expect(faultsOf(JSON.parse(`{"name":"a","${name}":1}`))).toHaveLength(1);
  });

  it('__proto__ too, which sets nothing', () => {
    const body: unknown = JSON.parse('{"__proto__":{"name":"forged","polluted":true}}');
    expect(faultsOf(body)).toEqual(['__proto__ unknown_field', 'name required']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('an inherited field does not count as sent', () => {
    expect(faultsOf(Object.create({ name: 'inherited' }))).toEqual(['name required']);
  });

  it('its name is cut at 64 characters, and its control characters are replaced', () => {
    expect(faultsOf(withName({ ['x'.repeat(65)]: 1, '\u001b[31m': 1 }))).toEqual(
      [`${'x'.repeat(64)} unknown_field`, '\uFFFD[31m unknown_field'].sort(),
    );
  });
});

describe('SPEC §2.4: at most 20 details, then a count', () => {
  const unknown = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${String(i)}`, 1]));
  const refusalOf = (body: unknown): ValidationError => {
    try {
      accept(body);
    } catch (error) {
      return error as ValidationError;
    }
    throw new Error('It was accepted.');
  };

  it('all of 20 unknown fields are named, and 20 of 100 000; the missing field comes before them', () => {
    expect(refusalOf(withName(unknown(20))).details).toHaveLength(20);
    const { details, message } = refusalOf(unknown(100_000));
    expect(details).toHaveLength(20);
    expect(details).toContainEqual(expect.objectContaining({ field: 'name' }));
    expect(message).toMatch(/And 99998 more\.$/);
  });
});

describe('SPEC §7: a given request must produce the same error each time', () => {
  it('names every field that is wrong, once, sorted', () => {
    expect(faultsOf({ price: 'x', size: 1, color: ',\0', description: 3, name: '' })).toEqual([
      'color contains_nul',
      'description wrong_type',
      'name too_short',
      'price wrong_type',
      'size unknown_field',
    ]);
  });

  it('accepts or returns 422 for any JSON, and never changes it', () => {
    const field = fc.constantFrom('name', 'description', 'color', 'price', 'id', 'x');
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(field, fc.jsonValue())), (body) => {
        const before = JSON.stringify(body);
        const faults = faultsOf(body);
        expect(faultsOf(body)).toEqual(faults);
        expect(JSON.stringify(body)).toBe(before);
        if (faults.length === 0) expect(faultsOf(accept(body))).toEqual([]);
      }),
    );
  });
});

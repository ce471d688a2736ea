import { growth } from '@items/testing';

import { isExact } from './exact-number.js';

describe('isExact (RFC 7493 §2.2)', () => {
  it.each([
    '0',
    '-0',
    '0.000',
    '0e999999',
    '1',
    '-1.50',
    '1E+2',
    '123456789012345',
    '123456789.012345',
    '9007199254740992',
    '0.30000000000000004',
    '1e22',
    '1e308',
    '5e-324',
    '1e-310',
    `1${'0'.repeat(300)}`,
    `0.${'0'.repeat(300)}1`,
    `1.${'0'.repeat(5000)}`,
    `1e${'0'.repeat(5000)}1`,
  ])('%s is exact', (literal) => {
    expect(isExact(literal)).toBe(true);
  });

  it.each([
    '9007199254740993',
    '0.1234567890123456789',
    '0.3000000000000000444',
    '1e309',
    '-1e999999',
    '1e-324',
    '4e-324',
    '1e-999999',
    '123456789012345e300',
    `1${'0'.repeat(5000)}`,
    `1.${'0'.repeat(5000)}1`,
    `0.${'3'.repeat(5000)}`,
  ])('%s is not exact', (literal) => {
    expect(isExact(literal)).toBe(false);
  });

  it.each<[string, (size: number) => string]>([
    ['zeros between ones', (size) => `1${'0'.repeat(size)}1`],
    ['zeros in a fraction', (size) => `0.${'0'.repeat(size)}1`],
    ['zeros at the end of a fraction', (size) => `1.1${'0'.repeat(size)}`],
    ['zeros of an exponent', (size) => `1e${'0'.repeat(size)}1`],
    ['digits', (size) => `0.${'7'.repeat(size)}`],
  ])('takes a time proportional to the length: %s', (_, literalOf) => {
    expect(growth(literalOf, isExact)).toBeLessThan(5);
  });

  it.each(['0', '-0', '0e1', '5e-324', '0.1234567890123456'])('%s takes the fast path', (literal) => {
    const split = jest.spyOn(String.prototype, 'split');
    const result = isExact(literal);
    const times = split.mock.calls.length;
    split.mockRestore();
    expect([result, times]).toEqual([true, 0]);
  });
});

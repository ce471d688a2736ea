import { ValidationError } from '@items/conventions';
import { IsLowercase } from 'class-validator';

import { Choice, Choices, Float, Integer, Money, NestedList, Text, Texts, validate } from './index.js';

class Line {
  @Integer({ min: 1, max: 9 }) quantity!: number;
}

class Everything {
  @Text({ min: 2, max: 4 }) text!: string;
  @Text({ max: 9, pattern: { matches: /^a*$/, expected: 'hold only a' } }) pattern!: string;
  @Texts({ maxItems: 1, max: 2, each: { matches: /^a/, expected: 'words with a' } }) texts!: string[];
  @Integer({ min: 1, max: 9 }) whole!: number;
  @Float({ min: -1, max: 1 }) ratio!: number;
  @Money() price!: number;
  @Choice(['red', 'blue']) color!: string;
  @Choices(['a', 'b']) letters!: string[];
  @NestedList(() => Line, { min: 1, max: 2 }) lines!: Line[];
}

class WithOthers {
  @IsLowercase() @Text({ min: 2, max: 4 }) text!: string;
}

const right = {
  ...{ text: 'abc', pattern: 'aa', texts: ['a'], whole: 1, ratio: 0, price: 1, color: 'red', letters: [] },
  lines: [{ quantity: 1 }],
};

function detailsOf(dto: new () => object, value: object): readonly unknown[] {
  try {
    validate(dto, value);
    return [];
  } catch (error) {
    return (error as ValidationError).details.map(({ field, code, params }) => [field, code, params]);
  }
}

describe('SPEC §7: params of a detail', () => {
  it.each<[object, string, string, unknown]>([
    [{ text: 'a' }, 'text', 'too_short', { min: 2 }],
    [{ text: 'abcde' }, 'text', 'too_long', { max: 4 }],
    [{ texts: ['a', 'ab'] }, 'texts', 'too_many', { max: 1 }],
    [{ texts: ['abc'] }, 'texts', 'too_long', { max: 2 }],
    [{ whole: 10 }, 'whole', 'out_of_range', { min: 1, max: 9 }],
    [{ ratio: 2 }, 'ratio', 'out_of_range', { min: -1, max: 1 }],
    [{ price: 1.005 }, 'price', 'too_many_decimals', { max: 2 }],
    [{ color: 'green' }, 'color', 'not_allowed', { values: ['red', 'blue'] }],
    [{ letters: ['c'] }, 'letters', 'not_allowed', { values: ['a', 'b'] }],
    [{ lines: [] }, 'lines', 'too_few', { min: 1 }],
    [{ lines: [{ quantity: 1 }, { quantity: 1 }, { quantity: 1 }] }, 'lines', 'too_many', { max: 2 }],
    [{ lines: [{ quantity: 0 }] }, 'lines.0.quantity', 'out_of_range', { min: 1, max: 9 }],
  ])('%j: %s %s %j', (change, field, code, params) => {
    expect(detailsOf(Everything, { ...right, ...change })).toEqual([[field, code, params]]);
  });

  it.each<[object, string, string]>([
    [{ pattern: 'b' }, 'pattern', 'not_allowed'],
    [{ texts: ['b'] }, 'texts', 'not_allowed'],
    [{ letters: ['a', 'a'] }, 'letters', 'repeated'],
    [{ text: 1 }, 'text', 'wrong_type'],
    [{ other: 1 }, 'other', 'unknown_field'],
  ])('%j: %s %s has none', (change, field, code) => {
    expect(detailsOf(Everything, { ...right, ...change })).toEqual([[field, code, undefined]]);
  });

  it('are given next to rules of class-validator', () => {
    expect(detailsOf(WithOthers, { text: 'abcde' })).toEqual([['text', 'too_long', { max: 4 }]]);
  });
});

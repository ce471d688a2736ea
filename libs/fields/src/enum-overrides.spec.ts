import { ValidationError } from '@items/conventions';

import { Choices } from './arrays.js';
import { Choice } from './choice.js';
import { Nested } from './nested.js';
import { replacementOf } from './replacement-of.js';
import { validate } from './validate.js';

const SIZES = ['small', 'large'];
const COLORS = ['red', 'blue'];

class SizeDto {
  @Choice(SIZES) size!: string;
}
class MugDto {
  @Choices(COLORS) colors!: string[];
  @Nested(() => SizeDto) outer!: SizeDto;
}
class ReplaceMugDto extends replacementOf(MugDto, 'colors') {}

describe('Enum overrides of a service', () => {
  const own = new Map([
    [SIZES, ['huge']],
    [COLORS, ['green', 'red']],
  ]);
  const codesOf = (value: object, ...words: [typeof own] | []): readonly string[] => {
    try {
      validate(MugDto, value, ...words);
      return [];
    } catch (error) {
      return (error as ValidationError).details.map(({ field, message }) => `${field}: ${message}`);
    }
  };
  const usual = { colors: ['red', 'blue'], outer: { size: 'small' } };
  const others = { colors: ['green'], outer: { size: 'huge' } };

  it('are accepted, and other words refused with a message that lists them, in nested objects too', () => {
    expect(codesOf(others, own)).toEqual([]);
    expect(codesOf(usual, own)).toEqual([
      'colors: "colors" must contain only "green", "red".',
      'outer.size: "outer.size" must be one of "huge".',
    ]);
  });

  it('apply to that service only', () => {
    expect(codesOf(usual)).toEqual([]);
    expect(codesOf(others)).toHaveLength(2);
  });

  it('apply to the replacement of a class', () => {
    expect(validate(ReplaceMugDto, others, own)).toMatchObject(others);
  });
});

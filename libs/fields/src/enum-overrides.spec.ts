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

  it('are taken, and the others are refused by a sentence that names them, in nested objects too', () => {
    expect(codesOf(others, own)).toEqual([]);
    expect(codesOf(usual, own)).toEqual([
      'colors: "colors" must contain only "green", "red".',
      'outer.size: "outer.size" must be one of "huge".',
    ]);
  });

  it('hold for that service alone', () => {
    expect(codesOf(usual)).toEqual([]);
    expect(codesOf(others)).toHaveLength(2);
  });

  it('hold for the replacement of a class too', () => {
    expect(validate(ReplaceMugDto, others, own)).toMatchObject(others);
  });
});

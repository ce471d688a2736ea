import { MaxLength, validateSync } from 'class-validator';

import { Choices } from './arrays.js';
import { Choice } from './choice.js';
import { DateTime } from './date-time.js';
import { definitionOf, type DtoClass } from './definition.js';
import { Flag } from './flag.js';
import { validatorOf, validate } from './validate.js';
import { Money, Integer } from './numbers.js';
import { DefaultsTo, KeptIfAbsent, KeptOrCleared, Optional } from './presence.js';
import { replacementOf } from './replacement-of.js';
import { Text } from './text.js';

class WholeDto {
  @Text({ min: 1, max: 3, pattern: { matches: /^a/, expected: 'begin with an a' } })
  text!: unknown;

  @Optional()
  @Money()
  money!: unknown;

  @KeptIfAbsent()
  @Integer({ min: 1, max: 10 })
  integer!: unknown;

  @KeptOrCleared()
  @DateTime()
  time!: unknown;

  @DefaultsTo(true)
  @Flag()
  flag!: unknown;

  @Choices(['a', 'b'])
  choices!: unknown;

  @Choice(['a', 'b'])
  choice!: unknown;
}

class ReplaceWholeDto extends replacementOf(WholeDto, 'text', 'money') {}

const VALUES: readonly unknown[] = [
  ...[undefined, null, true, 0, -1, 1.005, 7, 11, Number.NaN, '', 'a', 'abcd', 'b', '\ud800', 'a\0', {}],
  ...[[], ['a'], ['a', 'a'], ['c'], '2026-11-20T09:30:00.000Z', '2026-02-30T00:00:00Z'],
];

function byExecutor(object: object): unknown[] {
  return validateSync(object, { stopAtFirstError: true, forbidUnknownValues: false }).flatMap(
    ({ property, constraints = {} }) => Object.keys(constraints).map((code) => [property, code]),
  );
}

describe('The rules of a class, called directly', () => {
  it.each<DtoClass>([WholeDto, ReplaceWholeDto])('agree with class-validator on each value: %p', (dto) => {
    const validator = validatorOf(dto, definitionOf(dto).accepted);
    for (const name of definitionOf(dto).accepted.keys()) {
      for (const value of VALUES) {
        const object = Object.assign(new dto(), { [name]: value });
        expect(validator(object).map(({ field, code }) => [field, code])).toEqual(
          expect.arrayContaining(byExecutor(object)),
        );
        expect(validator(object)).toHaveLength(byExecutor(object).length);
      }
    }
  });

  it('are not all if there are other decorators', () => {
    class MoreDto {
      @MaxLength(2)
      @Text({ max: 3 })
      text!: string;
    }
    expect(validate(MoreDto, { text: 'ab' })).toEqual({ text: 'ab' });
    expect(() => validate(MoreDto, { text: 'abc' })).toThrow('text');
  });
});

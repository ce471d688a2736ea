import { validateSync } from 'class-validator';

import { Choices, NestedList } from './arrays.js';
import { DateTime } from './date-time.js';
import { Float, Integer, Money } from './numbers.js';
import { Text } from './text.js';

class LineDto {
  @Integer({ min: 1, max: 10 })
  quantity!: number;
}

class OrderDto {
  @Text({ min: 1, max: 3, pattern: { matches: /a/, expected: 'hold an a' } })
  text!: unknown;

  @Integer({ min: 1, max: 10 })
  integer!: unknown;

  @Float({ min: -1, max: 1 })
  float!: unknown;

  @Money()
  money!: unknown;

  @DateTime({ future: true })
  time!: unknown;

  @Choices(['a', 'b'])
  choices!: unknown;

  @NestedList(() => LineDto, { min: 1, max: 2 })
  lines!: unknown;
}

const NAMES = ['text', 'integer', 'float', 'money', 'time', 'choices', 'lines'];

/** Returns the constraints of each field that class-validator itself reports. */
function constraintsOf(values: object): Record<string, string[]> {
  const errors = validateSync(Object.assign(new OrderDto(), values));
  return Object.fromEntries(errors.map(({ property, constraints = {} }) => [property, Object.keys(constraints)]));
}

describe('under class-validator alone, a constraint is named by its code', () => {
  it.each([null, {}, true, Symbol('x'), () => 0])('%p is of the wrong type, and nothing else', (value) => {
    const values = Object.fromEntries(NAMES.map((name) => [name, value]));
    expect(constraintsOf(values)).toEqual(Object.fromEntries(NAMES.map((name) => [name, ['wrong_type']])));
  });

  it('an absent field is named "required"', () => {
    expect(constraintsOf({}).text).toContain('required');
  });

  it('a time that is not normalised is validated alike', () => {
    const good = { text: 'a', integer: 1, float: 0.1, money: 1, choices: [], lines: [{}] };
    expect(constraintsOf({ ...good, time: '2999-01-01T00:00:00+01:00' })).toEqual({});
    expect(constraintsOf({ ...good, time: '9999-12-31T23:59:59-01:00' })).toEqual({ time: ['wrong_format'] });
  });
});

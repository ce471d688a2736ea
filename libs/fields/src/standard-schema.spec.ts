import { Integer, Nested, NestedList, Optional, standard, Text } from './index.js';

class Line {
  @Integer({ min: 1, max: 9 }) count!: number;
}
class Order {
  @Text({ max: 5, trim: true }) title!: string;
  @Optional() @Integer({ min: 0, max: 9999 }) year!: number | null;
  @NestedList(() => Line, { min: 0, max: 3 }) lines!: Line[];
  @Optional() @Nested(() => Line) first!: Line | null;
}
class LongOrder extends Order {
  @Text({ max: 3 }) code!: string;
}
class SameOrder extends Order {}
const { '~standard': schema } = standard(Order);

describe('A class with field decorators', () => {
  it('has ~standard, and so have its subclasses for all their fields', () => {
    expect(Order).toHaveProperty('~standard', { version: 1, vendor: '@items/fields', validate: expect.any(Function) });
    const value = { title: 'a', lines: [] };
    expect(standard(LongOrder)['~standard'].validate(value)).toEqual({
      issues: [{ message: '"code" is required.', path: ['code'] }],
    });
    const same = standard(SameOrder)['~standard'].validate(value);
    expect('value' in same && same.value).toBeInstanceOf(SameOrder);
  });

  it('returns the normalised value as an instance', () => {
    const result = schema.validate({ title: ' a ', lines: [{ count: 1 }] });
    expect(result).toEqual({ value: { title: 'a', year: null, lines: [{ count: 1 }], first: null } });
    expect('value' in result && result.value).toBeInstanceOf(Order);
  });

  it('returns one issue for each detail, with its path and its sentence', () => {
    const result = schema.validate({ title: 'too long', year: 'x', lines: [{ count: 1 }, { count: 0 }], more: 1 });
    expect(result).toEqual({
      issues: [
        { message: '"lines.1.count" must be from 1 to 9.', path: ['lines', 1, 'count'] },
        { message: '"more" is not a field that can be set here.', path: ['more'] },
        { message: '"title" must be at most 5 characters long.', path: ['title'] },
        { message: '"year" must be a whole number.', path: ['year'] },
      ],
    });
    expect(schema.validate('text')).toEqual({ issues: [{ message: expect.any(String), path: [] }] });
  });
});

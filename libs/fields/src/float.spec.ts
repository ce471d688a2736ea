import { ValidationError } from '@items/conventions';
import fc from 'fast-check';

import { validate } from './validate.js';
import { Float } from './numbers.js';

class GaugeDto {
  @Float({ min: -1e15, max: 1e15 })
  level!: number;
}

describe('@Float() takes any number of its range as it is', () => {
  it('every bit is kept', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e15, max: 1e15, noNaN: true }), (level) => {
        expect(validate(GaugeDto, { level }).level).toBe(level === 0 ? 0 : level);
      }),
    );
  });

  it.each([1.1e15, -1e300, Infinity, NaN, '1', null])('%p is refused', (level) => {
    expect(() => validate(GaugeDto, { level })).toThrow(ValidationError);
  });
});

import { ConfigError } from './config-error.js';
import { durations, oneOf, secret } from './values.js';

const NAME = 'SOME_VARIABLE';

describe('A value of the environment', () => {
  it('is one of some words', () => {
    const options = { words: ['low', 'high'], fallback: 'low', example: 'high' };
    expect(oneOf({ name: NAME, value: undefined }, options)).toBe('low');
    expect(oneOf({ name: NAME, value: 'high' }, options)).toBe('high');
    const sentence = 'SOME_VARIABLE must be one of low, high, for example SOME_VARIABLE=high.';
    expect(() => oneOf({ name: NAME, value: 'higher' }, options)).toThrow(sentence);
  });

  it('is a list of durations, bounded in length and in number', () => {
    const options = { max: 60, count: 2, fallback: [1], example: '1,2' };
    expect(durations({ name: NAME, value: undefined }, options)).toEqual([1000]);
    expect(durations({ name: NAME, value: '0.5, 60' }, options)).toEqual([500, 60_000]);
    for (const value of ['61', '0', '1,2,3', 'x'])
      expect(() => durations({ name: NAME, value }, options)).toThrow(ConfigError);
  });

  it('is never repeated where it is a secret', () => {
    expect(() => secret({ name: NAME, value: 'hush' }, 32)).toThrow(/^(?!.*hush)/);
  });
});

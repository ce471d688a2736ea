import { ConfigError } from './config-error.js';
import { differentPorts, durations, headerNames, oneOf, secret } from './values.js';

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

  it('is a list of names of headers', () => {
    expect(headerNames({ name: NAME, value: undefined })).toEqual([]);
    expect(headerNames({ name: NAME, value: 'X-Tenant, x_device' })).toEqual(['X-Tenant', 'x_device']);
    for (const value of ['*', 'X Tenant', 'X-Tenant;a', 'X-Tenant:', 'X-Ténant', 'a\r\nb'])
      expect(() => headerNames({ name: NAME, value })).toThrow('SOME_VARIABLE must list names of headers');
  });

  it('is a port different from the earlier ones', () => {
    const [PORT, METRICS_PORT] = [3000, 3001];
    expect(() => {
      differentPorts({ PORT, METRICS_PORT, HEALTH_PORT: 3001 });
    }).toThrow('HEALTH_PORT must be another port than METRICS_PORT, for example HEALTH_PORT=3002.');
    expect(() => {
      differentPorts({ PORT: 65_535, METRICS_PORT: 65_535 });
    }).toThrow('for example METRICS_PORT=65534.');
    expect(() => {
      differentPorts({ PORT: 0, METRICS_PORT: 0, HEALTH_PORT: undefined });
    }).not.toThrow();
  });

  it('is not in the error if it is a secret', () => {
    expect(() => secret({ name: NAME, value: 'hush' })).toThrow(/^(?!.*hush)/);
  });
});

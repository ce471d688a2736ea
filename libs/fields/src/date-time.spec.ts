import { ValidationError } from '@items/conventions';
import fc from 'fast-check';

import { validate } from './validate.js';
import { DateTime } from './date-time.js';

class VisitDto {
  @DateTime()
  at!: string;
}

const accept = (at: unknown) => validate(VisitDto, { at }).at;

function codeOf(at: unknown): string | undefined {
  try {
    accept(at);
  } catch (error) {
    if (error instanceof ValidationError) return error.details[0]?.code;
    throw error;
  }
  return undefined;
}

describe('SPEC §1: times are RFC 3339 UTC with milliseconds', () => {
  it.each([
    ['2026-11-20T09:30:00.000Z', '2026-11-20T09:30:00.000Z'],
    ['2026-11-20T09:30:00Z', '2026-11-20T09:30:00.000Z'],
    ['2026-11-20t09:30:00z', '2026-11-20T09:30:00.000Z'],
    ['2026-11-20T09:30:00.1Z', '2026-11-20T09:30:00.100Z'],
    ['2026-11-20T09:30:00.123999999Z', '2026-11-20T09:30:00.123Z'],
    ['2026-11-20T01:30:00+02:30', '2026-11-19T23:00:00.000Z'],
    ['2026-12-31T23:59:59-00:01', '2027-01-01T00:00:59.000Z'],
    ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['1990-12-31T15:59:60.25-08:00', '1991-01-01T00:00:00.250Z'],
  ])('%s is %s', (sent, kept) => {
    expect(accept(sent)).toBe(kept);
  });

  it.each([
    '',
    '2026-11-20',
    '2026-11-20T09:30Z',
    '2026-11-20T09:30:00',
    '2026-11-20 09:30:00Z',
    '2026-11-20T09:30:00.Z',
    '2026-11-20T09:30:00+0200',
    '2026-11-20T09:30:00+24:00',
    '2026-02-29T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20T09:60:00Z',
    '2026-11-20T09:30:60Z',
    '+002026-11-20T09:30:00Z',
    '0000-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    ' 2026-11-20T09:30:00Z',
    '2026-11-20T09:30:00Z\n',
    '２０２６-11-20T09:30:00Z',
    `2026-11-20T09:30:00.${'1'.repeat(100_000)}Z`,
    'Fri, 20 Nov 2026 09:30:00 GMT',
    'now',
    '1795167000',
  ])('%.40s is none', (text) => {
    expect(codeOf(text)).toBe('wrong_format');
  });

  it.each([1795167000000, null, {}, [], true])('%j is of the wrong type', (value) => {
    expect(codeOf(value)).toBe('wrong_type');
  });

  it('keeps every time of the service as it is', () => {
    const times = fc.date({ min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z') });
    fc.assert(
      fc.property(
        times.filter((time) => !Number.isNaN(time.getTime())),
        (time) => {
          expect(accept(time.toISOString())).toBe(time.toISOString());
        },
      ),
    );
  });
});

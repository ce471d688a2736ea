import { ERROR_CODES, isCode, STATUS_CODES, type ErrorCode } from './error-code.js';

describe('SPEC §7: the code of an error', () => {
  it('is snake_case, listed once, in order', () => {
    expect([...ERROR_CODES]).toEqual([...new Set<string>(ERROR_CODES)].sort());
    for (const code of [...ERROR_CODES, ...Object.values(STATUS_CODES)]) expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
  });

  it('is a type that knows the codes of every collection and refuses other words', () => {
    const known: ErrorCode[] = ['expired_cursor', 'forbidden', 'widget_not_found'];
    // @ts-expect-error: no error has this code.
    known.push('expired_curser');
    expect(known).toHaveLength(4);
  });
});

describe('isCode', () => {
  it.each([
    ['a body', { error: 'The cursor has expired.', code: 'expired_cursor' }],
    ['an error', Object.assign(new Error('The cursor has expired.'), { code: 'expired_cursor' })],
  ])('recognises the code of %s', (_, error) => {
    expect(isCode(error, 'expired_cursor')).toBe(true);
    expect(isCode(error, 'invalid_cursor')).toBe(false);
  });

  it.each([null, undefined, 'expired_cursor', 0, {}, { code: ['expired_cursor'] }])('is false for %j', (thing) => {
    expect(isCode(thing, 'expired_cursor')).toBe(false);
  });
});

import type { IncomingMessage } from 'node:http';

import { InvalidHeaderError, PreconditionFailedError } from '@items/errors';
import type { FastifyReply } from 'fastify';

import {
  answerConditionally,
  ifMatchOf,
  matchesStrongly,
  matchesWeakly,
  parseEntityTags,
  requireMatch,
} from './conditional.js';

const message = (headers: Record<string, string>) => ({ headers }) as unknown as IncomingMessage;

function replyThat() {
  const seen: { code?: number; etag?: unknown } = {};
  const reply = {
    code: (code: number) => Object.assign(seen, { code }),
    header: (name: string, value: unknown) => Object.assign(seen, { [name]: value }),
  };
  return { seen, reply: reply as unknown as FastifyReply };
}

describe('conditional requests (RFC 9110 §13)', () => {
  it.each([
    ['*', '*'],
    [' * ', '*'],
    ['"a"', ['"a"']],
    ['W/"a"', ['W/"a"']],
    ['"a", W/"b" ,"c"', ['"a"', 'W/"b"', '"c"']],
    ['"a,b", "c"', ['"a,b"', '"c"']],
    [',"a",,', ['"a"']],
    ['""', ['""']],
  ])('reads %p', (value, tags) => {
    expect(parseEntityTags('If-Match', value)).toEqual(tags);
  });

  it.each([[''], ['a'], ['"a'], ['a"'], ['"a" "b"'], ['*, "a"'], ['w/"a"'], ['"a b"'], [','], ["'a'"]])(
    'refuses %p with 400 that names the header',
    (value) => {
      expect(() => parseEntityTags('If-Match', value)).toThrow(InvalidHeaderError);
      expect(() => parseEntityTags('If-Match', value)).toThrow(/^If-Match /);
    },
  );

  it('compares If-Match strongly: a weak tag never matches', () => {
    expect(matchesStrongly(['"a"', '"b"'], '"b"')).toBe(true);
    expect(matchesStrongly(['W/"b"'], '"b"')).toBe(false);
    expect(matchesStrongly(['W/"b"'], 'W/"b"')).toBe(false);
    expect(matchesStrongly('*', '"b"')).toBe(true);
  });

  it('compares If-None-Match weakly', () => {
    expect(matchesWeakly(['W/"b"'], '"b"')).toBe(true);
    expect(matchesWeakly(['"c"'], '"b"')).toBe(false);
    expect(matchesWeakly('*', '"b"')).toBe(true);
  });

  it('honours the If-Match of a write', () => {
    expect(ifMatchOf(message({}))).toBeUndefined();
    expect(() => {
      requireMatch(undefined, '"b"');
      requireMatch(ifMatchOf(message({ 'if-match': '"b"' })), '"b"');
    }).not.toThrow();
    expect(() => {
      requireMatch(ifMatchOf(message({ 'if-match': '"a"' })), '"b"');
    }).toThrow(PreconditionFailedError);
  });

  it('answers a GET with its ETag', () => {
    const { seen, reply } = replyThat();
    expect(answerConditionally(message({ 'if-none-match': '"a"' }), reply, '"b"', 'body')).toBe('body');
    expect(seen).toEqual({ etag: '"b"' });
  });

  it('answers 304 with the ETag and without a body where the client has this state', () => {
    const { seen, reply } = replyThat();
    expect(answerConditionally(message({ 'if-none-match': 'W/"b"' }), reply, '"b"', 'body')).toBeUndefined();
    expect(seen).toEqual({ etag: '"b"', code: 304 });
  });

  it('judges If-Match before If-None-Match (RFC 9110 §13.2.2)', () => {
    const headers = { 'if-match': '"a"', 'if-none-match': '"b"' };
    expect(() => answerConditionally(message(headers), replyThat().reply, '"b"', 'body')).toThrow(
      PreconditionFailedError,
    );
  });
});

import type { IncomingMessage } from 'node:http';

import { InvalidHeaderError, PreconditionFailedError, WeakEtagError } from '@items/conventions';
import { growth } from '@items/testing';
import type { FastifyReply } from 'fastify';

import {
  respondConditionally,
  conditionsOf,
  matchesWeakly,
  parseEntityTags,
  preconditionOf,
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
    [', \t,"a"\t , ,', ['"a"']],
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

  it.each<[string, (size: number) => string]>([
    ['blanks before a fault', (size) => `,${' '.repeat(size)}x`],
    ['blanks between commas', (size) => `${', '.repeat(size / 2)}x`],
    ['tabs at the end', (size) => `"a"${'\t'.repeat(size)}x`],
    ['quotes', (size) => '"'.repeat(size)],
    ['tags', (size) => '"a",'.repeat(size / 4)],
    ['weak tags', (size) => `${'W/'.repeat(size / 2)}"`],
  ])('parses a header in a time proportional to its length: %s', (_, valueOf) => {
    const parse = (value: string) => {
      try {
        parseEntityTags('If-Match', value);
      } catch {
        // The time until an error counts, too.
      }
    };
    expect(growth(valueOf, parse, 1024)).toBeLessThan(5);
  });

  it.each<[readonly string[] | '*', string]>([
    [['"a"', '"b"'], '"b"'],
    [['W/"a"', '"b"'], '"b"'],
    ['*', '"b"'],
  ])('If-Match %j holds for %s', (tags, etag) => {
    expect(() => {
      requireMatch(tags, etag);
    }).not.toThrow();
  });

  it.each<[readonly string[], string, new () => Error]>([
    [['"a"'], '"b"', PreconditionFailedError],
    [['W/"b"', '"a"'], '"b"', PreconditionFailedError],
    [['"b"'], 'W/"b"', PreconditionFailedError],
    [['W/"b"'], '"b"', WeakEtagError],
    [['W/"b"'], 'W/"b"', WeakEtagError],
    [['W/"a"', 'W/"b"'], '"b"', WeakEtagError],
    [['W/"a"'], '"b"', WeakEtagError],
  ])('If-Match %j fails for %s: a weak tag never matches', (tags, etag, error) => {
    expect(() => {
      requireMatch(tags, etag);
    }).toThrow(error);
  });

  it('compares If-None-Match weakly', () => {
    expect(matchesWeakly(['W/"b"'], '"b"')).toBe(true);
    expect(matchesWeakly(['"c"'], '"b"')).toBe(false);
    expect(matchesWeakly('*', '"b"')).toBe(true);
  });

  it.each<[string, Record<string, string>]>([
    ['no precondition', {}],
    ['the tag in If-Match', { 'if-match': '"b"' }],
    ['another one in If-None-Match', { 'if-none-match': '"a"' }],
    ['both', { 'if-match': '*', 'if-none-match': '"a"' }],
  ])('lets a write pass with %s', (_title, headers) => {
    expect(() => {
      preconditionOf(conditionsOf(message(headers)))?.('"b"');
    }).not.toThrow();
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ['another tag in If-Match', { 'if-match': '"a"' }, /has changed/],
    ['the tag in If-None-Match', { 'if-none-match': '"a", W/"b"' }, /If-None-Match/],
    ['"*" in If-None-Match', { 'if-none-match': '*' }, /If-None-Match/],
    ['the tag in both', { 'if-match': '"b"', 'if-none-match': '"b"' }, /If-None-Match/],
    ['neither, and If-Match comes first', { 'if-match': '"a"', 'if-none-match': '*' }, /has changed/],
  ])('refuses a write with %s', (_title, headers, sentence) => {
    const write = () => {
      preconditionOf(conditionsOf(message(headers)))?.('"b"');
    };
    expect(write).toThrow(PreconditionFailedError);
    expect(write).toThrow(sentence);
  });

  it('returns the ETag of a GET', () => {
    const { seen, reply } = replyThat();
    expect(respondConditionally(conditionsOf(message({ 'if-none-match': '"a"' })), reply, '"b"', () => 'body')).toBe(
      'body',
    );
    expect(seen).toEqual({ etag: '"b"' });
  });

  it('returns 304 with the ETag and without a body if the client has this state', () => {
    const { seen, reply } = replyThat();
    expect(
      respondConditionally(conditionsOf(message({ 'if-none-match': 'W/"b"' })), reply, '"b"', () => 'body'),
    ).toBeUndefined();
    expect(seen).toEqual({ etag: '"b"', code: 304 });
  });

  it('checks If-Match before If-None-Match (RFC 9110 §13.2.2)', () => {
    const headers = { 'if-match': '"a"', 'if-none-match': '"b"' };
    expect(() => respondConditionally(conditionsOf(message(headers)), replyThat().reply, '"b"', () => 'body')).toThrow(
      PreconditionFailedError,
    );
  });
});

import { API_VERSION } from '@items/dtos/contract';
import { Answer, type Exchange } from '@items/testing';

import { headerRules } from './header-rules.js';

const GOOD: Readonly<Record<string, string>> = {
  'X-Request-Id': 'a1',
  'Api-Version': API_VERSION,
  'X-RateLimit-Limit': '10',
  'X-RateLimit-Remaining': '9',
  'X-RateLimit-Reset': '5',
  RateLimit: '"default";r=9;t=5',
  'RateLimit-Policy': '"default";q=10;w=60',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'private, no-cache',
  'Content-Type': 'application/json',
};

/** Returns the violated rules. @param change an undefined value removes the header. */
function broken(status: number, change: Record<string, string | undefined> = {}, target = '/items'): string {
  const headers = Object.entries({ ...GOOD, ...change }).filter((one): one is [string, string] => one[1] !== undefined);
  const answer = new Answer(status, headers, Buffer.from(status === 304 ? '' : '{}'));
  const exchange: Exchange = { request: { method: 'GET', target, headers: [], body: undefined }, answer };
  return headerRules
    .filter((rule) => rule.applies(exchange) && !rule.holds(answer))
    .map((rule) => rule.sentence)
    .join();
}

describe('The check of the headers of each response', () => {
  it('accepts a response that follows the specification', () => {
    expect(broken(200)).toBe('');
  });

  it.each([
    ['no request id', 200, { 'X-Request-Id': undefined }, 'X-Request-Id'],
    ['another version', 200, { 'Api-Version': '1' }, 'Api-Version'],
    ['no quota', 404, { 'X-RateLimit-Limit': undefined }, '§8 X-RateLimit-Limit'],
    ['a reset of zero seconds', 200, { 'X-RateLimit-Reset': '0' }, '§8 X-RateLimit-Limit'],
    ['a reset in milliseconds of the epoch as a fraction', 200, { 'X-RateLimit-Reset': '1.5' }, '§8 X-RateLimit-Limit'],
    ['more left than there is', 200, { 'X-RateLimit-Remaining': '11' }, '§8 X-RateLimit-Limit'],
    ['drafts that tell otherwise', 200, { RateLimit: '"default";r=8;t=5' }, 'IETF'],
    ['a 429 without Retry-After', 429, { 'X-RateLimit-Remaining': '0' }, 'Retry-After'],
    ['a 429 with another Retry-After', 429, { 'X-RateLimit-Remaining': '0', 'Retry-After': '6' }, 'Retry-After'],
    ['a 401 without a challenge', 401, {}, '401 with a WWW-Authenticate'],
    [
      'a 401 with one challenge',
      401,
      { 'WWW-Authenticate': 'ApiKey header="X-API-Key"' },
      '401 with a WWW-Authenticate',
    ],
    ['a 405 without Allow', 405, {}, '405 carries Allow'],
    ['a resource that may be stored', 200, { 'Cache-Control': 'public' }, 'Cache-Control'],
    ['a resource that a proxy may compress', 200, { ETag: '"a"' }, 'no-transform'],
    ['a body that may be sniffed', 200, { 'X-Content-Type-Options': undefined }, 'nosniff'],
    ['a body of another type', 200, { 'Content-Type': 'text/html' }, 'Bodies are JSON'],
    ['a 204 with a body', 204, {}, '204 and 304 have an empty body'],
  ])('reports %s', (_title, status, change, sentence) => {
    expect(broken(status, change)).toContain(sentence);
  });

  it('reports a quota of a health check', () => {
    expect(broken(200, {}, '/health/live')).toContain('exempt');
  });
});

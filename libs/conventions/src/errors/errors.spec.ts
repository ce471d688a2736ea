import type { ErrorCode } from '../error-code.js';

import type { ApiError } from './api-error.js';
import * as errors from '../index.js';

const problem = (field: string, code = 'required') => ({ field, code, message: `"${field}" is wrong.` });

/** Every error class, with the status and code that a client sees. */
const TABLE: readonly (readonly [ApiError, number, ErrorCode])[] = [
  [new errors.MalformedRequestError('The request is not HTTP.'), 400, 'malformed_request'],
  [new errors.MalformedBodyError('The body is not JSON.'), 400, 'malformed_body'],
  [new errors.TooManyValuesError(32), 400, 'too_many_values'],
  [new errors.InvalidQueryError('page', 'wrong_type', '"page" is wrong.'), 400, 'invalid_query'],
  [new errors.InvalidRangeError('price_min', 'other_sort', '"price_min" is wrong.'), 400, 'invalid_range'],
  [new errors.InvalidHeaderError('The header is wrong.'), 400, 'invalid_header'],
  [new errors.InvalidCursorError(), 400, 'invalid_cursor'],
  [new errors.ExpiredCursorError(), 400, 'expired_cursor'],
  [new errors.UnauthorizedError('A credential is needed.', ['Bearer']), 401, 'unauthorized'],
  [new errors.InsufficientScopeError('items:write'), 403, 'insufficient_scope'],
  [new errors.ForbiddenError('A lent book is not changed.'), 403, 'forbidden'],
  [new errors.NotOwnerError(), 403, 'not_owner'],
  [new errors.RouteNotFoundError(), 404, 'route_not_found'],
  [new errors.NotFoundError('There is no such shelf.'), 404, 'not_found'],
  [new errors.ResourceNotFoundError('API key'), 404, 'api_key_not_found'],
  [new errors.NoOwnUserError(), 404, 'user_not_found'],
  [new errors.MethodNotAllowedError('GET, HEAD'), 405, 'method_not_allowed'],
  [new errors.RequestTimeoutError(), 408, 'request_timeout'],
  [new errors.ConflictError('last_admin', 'This is the last one.'), 409, 'last_admin'],
  [new errors.PreconditionFailedError(), 412, 'precondition_failed'],
  [new errors.WeakEtagError(), 412, 'weak_etag'],
  [new errors.BodyTooLargeError(), 413, 'body_too_large'],
  [new errors.UnsupportedMediaTypeError(), 415, 'unsupported_media_type'],
  [new errors.ValidationError([problem('name')]), 422, 'validation_failed'],
  [new errors.IdempotencyKeyReusedError(), 422, 'idempotency_key_reused'],
  [new errors.RateLimitedError(7), 429, 'rate_limited'],
  [new errors.HeadersTooLargeError(), 431, 'headers_too_large'],
  [new errors.InternalError(new Error('secret')), 500, 'internal_error'],
  [new errors.ServiceUnavailableError('overloaded', 'The service is overloaded.'), 503, 'overloaded'],
];

describe('SPEC §7: the status carries the class of error, the body a sentence and a stable code', () => {
  it.each(TABLE.map(([error, status, code]) => ({ name: error.name, error, status, code })))(
    '$name is $status $code',
    ({ error, status, code }) => {
      expect(error.status).toBe(status);
      expect(error.toBody()).toMatchObject({ code, error: expect.stringMatching(/^[A-Z"].*\.$/s) });
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    },
  );

  it('has a row here for every class', () => {
    const classes = Object.keys(errors).filter((name) => name.endsWith('Error') && name !== 'ApiError');
    expect(TABLE.map(([error]) => error.name).sort()).toEqual(classes.sort());
  });
});

describe('headers that go with an error', () => {
  it.each([
    [new errors.MethodNotAllowedError('GET, HEAD'), { allow: 'GET, HEAD' }],
    [new errors.RateLimitedError(7), { 'retry-after': '7' }],
    [new errors.ServiceUnavailableError('stopping', 'Stopping.'), { 'retry-after': '1' }],
    [new errors.ServiceUnavailableError('stopping', 'Stopping.', { retryAfterSeconds: 5 }), { 'retry-after': '5' }],
    [new errors.UnauthorizedError('No.', ['Bearer', 'Basic']), { 'www-authenticate': ['Bearer', 'Basic'] }],
    [
      new errors.InsufficientScopeError('items:write'),
      { 'www-authenticate': 'Bearer error="insufficient_scope", scope="items:write"' },
    ],
  ])('%s', (error, headers) => {
    expect(error.headers).toEqual(headers);
  });
});

describe('SPEC §7: a wrong query names its parameter', () => {
  it('a detail names the parameter', () => {
    const { details } = new errors.InvalidQueryError('page', 'wrong_type', '"page" is wrong.').toBody();
    expect(details).toEqual([{ field: 'page', code: 'wrong_type', message: '"page" is wrong.' }]);
  });
});

describe('SPEC §4 rule 5: invalid content names every field', () => {
  it('sorts details by field, for any order of arrival', () => {
    const fields = ['b', 'a b', 'a', 'a!'];
    const { details } = new errors.ValidationError(fields.map((field) => problem(field))).toBody();
    expect(details?.map(({ field }) => field)).toEqual(['a', 'a b', 'a!', 'b']);
  });

  it('says up to three of them in the sentence, and counts the others', () => {
    expect(new errors.ValidationError(['a', 'b', 'c'].map((field) => problem(field))).message).toBe(
      '"a" is wrong. "b" is wrong. "c" is wrong.',
    );
    expect(new errors.ValidationError(['a', 'b', 'c', 'd', 'e'].map((field) => problem(field))).message).toBe(
      '"a" is wrong. "b" is wrong. "c" is wrong. And 2 more.',
    );
  });

  it('lists at most 20, and names a missing field before any unknown one', () => {
    const unknown = Array.from({ length: 30 }, (_, index) => problem(`a${String(index)}`, 'unknown_field'));
    const { error, details } = new errors.ValidationError([...unknown, problem('name')]).toBody();
    expect(details).toHaveLength(errors.MAX_DETAILS);
    expect(details?.at(-1)?.field).toBe('name');
    expect(error).toMatch(/^"name" is wrong\. .*And 28 more\.$/);
  });

  it('counts further ones of which there is no detail', () => {
    const problems = ['a', 'b', 'c', 'd'].map((field) => problem(field));
    expect(new errors.ValidationError(problems, 1000).message).toMatch(/And 1001 more\.$/);
    expect(new errors.ValidationError(problems, 1000).details).toHaveLength(4);
  });

  it('sorts a hundred thousand without looking at each of them more than a few dozen times', () => {
    let looks = 0;
    const unknown = Array.from({ length: 100_000 }, (_, index) => ({
      ...problem(`k${String(index)}`, 'unknown_field'),
      get field() {
        looks += 1;
        return `k${String(index)}`;
      },
    }));
    expect(new errors.ValidationError(unknown).details).toHaveLength(20);
    expect(looks / unknown.length).toBeGreaterThan(0);
    expect(looks / unknown.length).toBeLessThan(20);
  });
});

describe('SPEC §4.5: a body that is too large', () => {
  it.each([
    [undefined, '1 MiB'],
    [16_384, '16 KiB'],
    [3_145_728, '3 MiB'],
  ])('a limit of %p bytes is written as: %s', (maxBytes, words) => {
    expect(new errors.BodyTooLargeError(maxBytes).message).toBe(`The request body is larger than ${words}.`);
  });
});

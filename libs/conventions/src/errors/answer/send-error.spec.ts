import { InternalError, MethodNotAllowedError } from '../errors.js';
import { ValidationError } from '../validation-error.js';
import { thrownError, toApiError } from './to-api-error.js';
import { prerendered, toErrorAnswer } from './send-error.js';

const coded = (code: string) => Object.assign(new Error('something secret'), { code });

describe('any throw becomes one error response (SPEC §7)', () => {
  it('returns the errors of the service unchanged', () => {
    const problem = { field: 'name', code: 'required', message: '"name" is required.' };
    expect(toErrorAnswer(new ValidationError([problem]))).toEqual({
      status: 422,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify({ error: '"name" is required.', code: 'validation_failed', details: [problem] }),
    });
  });

  it('keeps the response of an error that is marked as made once', () => {
    const error = new MethodNotAllowedError('GET');
    const [first, second] = [toErrorAnswer(error), toErrorAnswer(error)];
    expect(first).not.toBe(second);
    expect(toErrorAnswer(prerendered(error))).toEqual(first);
    expect(toErrorAnswer(error)).toBe(toErrorAnswer(error));
  });

  it('keeps the headers of an error', () => {
    expect(toErrorAnswer(new MethodNotAllowedError('GET, HEAD')).headers).toMatchObject({ allow: 'GET, HEAD' });
  });

  it.each([
    ['FST_ERR_BAD_URL', 400, 'malformed_request'],
    ['FST_ERR_MAX_PARAM_LENGTH', 404, 'route_not_found'],
    ['FST_ERR_CTP_BODY_TOO_LARGE', 413, 'body_too_large'],
    ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 415, 'unsupported_media_type'],
    ['FST_ERR_CTP_INVALID_JSON_BODY', 400, 'malformed_body'],
    ['HPE_HEADER_OVERFLOW', 431, 'headers_too_large'],
    ['HPE_INVALID_METHOD', 400, 'malformed_request'],
    ['ERR_HTTP_REQUEST_TIMEOUT', 408, 'request_timeout'],
    ['SQLITE_CORRUPT', 500, 'internal_error'],
    ['constructor', 500, 'internal_error'],
  ])('maps the code %s to %i %s', (code, status, expected) => {
    expect(toApiError(coded(code))).toMatchObject({ status, code: expected });
  });

  it('recognizes an exception of another copy of @nestjs/common by its methods', () => {
    const exception = { getStatus: () => 409, getResponse: () => ({ message: 'Taken.', error: 'Conflict' }) };
    expect(toApiError(exception)).toMatchObject({ status: 409, code: 'conflict', message: 'Taken.' });
  });

  it('recognizes an error of another copy of @items/conventions by its methods', () => {
    const error = { status: 404, code: 'cat_not_found', headers: {}, toBody: () => ({}) };
    expect(toApiError(error)).toBe(error);
  });

  it('keeps the sentence of an error by the rules of http-errors', () => {
    const error = Object.assign(new Error('unsupported charset "X"'), { statusCode: 415, expose: true });
    expect(toApiError(error)).toMatchObject({ status: 415, code: 'unsupported_media_type', message: error.message });
  });

  it('treats an error of another server in a handler as a fault of this service', () => {
    expect(thrownError(coded('HPE_INVALID_CONSTANT'))).toMatchObject({ status: 500, code: 'internal_error' });
  });

  it.each([[new Error('secret')], ['secret'], [undefined], [null], [{ message: 'secret' }], [42]])(
    'returns 500 with a fixed sentence for %p, and keeps it as the cause',
    (thrown) => {
      expect(toErrorAnswer(thrown)).toMatchObject({
        status: 500,
        body: '{"error":"Internal server error. Quote the X-Request-Id when you report it.","code":"internal_error"}',
      });
      const error = toApiError(thrown);
      expect(error).toBeInstanceOf(InternalError);
      expect(error.cause).toBe(thrown);
    },
  );
});

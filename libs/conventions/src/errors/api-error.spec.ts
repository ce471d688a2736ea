import { ApiError } from './api-error.js';

class TeapotError extends ApiError {
  override readonly status = 418;
  override readonly code = 'teapot';
}

describe('SPEC §7: the one shape of every error body', () => {
  it('is the sentence and the code; `details` only if there are any', () => {
    expect(new TeapotError('No coffee.').toBody()).toStrictEqual({ error: 'No coffee.', code: 'teapot' });
  });

  it('carries the details', () => {
    const details = [{ field: 'cup', code: 'required', message: '"cup" is required.' }];
    const body = new TeapotError('No coffee.', { details }).toBody();
    expect(JSON.stringify(body)).toBe(
      '{"error":"No coffee.","code":"teapot","details":[{"field":"cup","code":"required","message":"\\"cup\\" is required."}]}',
    );
  });

  it('never shows the cause', () => {
    const error = new TeapotError('No coffee.', { cause: new Error('secret') });
    expect(error.cause).toEqual(new Error('secret'));
    expect(JSON.stringify(error.toBody())).not.toContain('secret');
  });

  it('is an Error with the name of its class, for the log', () => {
    const error = new TeapotError('No coffee.');
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).toBe('TeapotError: No coffee.');
    expect(error.headers).toEqual({});
  });

  it('has no stack, and leaves those of others as they are', () => {
    expect(new TeapotError('No coffee.').stack).toBe('TeapotError: No coffee.');
    expect(new Error('another').stack).toContain('api-error.spec');
  });
});

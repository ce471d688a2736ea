import { EndedVersionError, ExpectationFailedError, UnsupportedVersionError } from './edge-errors.js';

describe('SPEC §7: errors of the edge', () => {
  it.each([
    [new UnsupportedVersionError(['2026-11-20']), 400, 'unsupported_api_version'],
    [
      new EndedVersionError(['2026-11-20'], { on: '2026-06-01', page: '/docs/versions/2024-01-01' }),
      400,
      'unsupported_api_version',
    ],
    [new ExpectationFailedError(), 417, 'expectation_failed'],
  ])('%s is %i %s, with a sentence', (error, status, code) => {
    expect(error.status).toBe(status);
    expect(error.toBody()).toMatchObject({ code, error: expect.stringMatching(/^[A-Z].*\.$/s) });
  });
});

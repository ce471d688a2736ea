import { API_VERSION, SUPPORTED_API_VERSIONS } from './api-version.js';

describe('SPEC §9: versions', () => {
  it('are dates, and the current one is supported', () => {
    expect(SUPPORTED_API_VERSIONS).toContain(API_VERSION);
    for (const version of SUPPORTED_API_VERSIONS) expect(version).toMatch(/^\d{4}-\d\d-\d\d$/);
  });
});

import { API_VERSION, HEADER, MAX_BODY_BYTES, SUPPORTED_API_VERSIONS } from './http.js';

describe('SPEC §9: versions', () => {
  it('are dates, and the current one is supported', () => {
    expect(SUPPORTED_API_VERSIONS).toContain(API_VERSION);
    for (const version of SUPPORTED_API_VERSIONS) expect(version).toMatch(/^\d{4}-\d\d-\d\d$/);
  });
});

describe('SPEC §8: limits', () => {
  it('let a body have 1 MiB', () => {
    expect(MAX_BODY_BYTES).toBe(1024 * 1024);
  });
});

describe('header names', () => {
  it('are in lower case, as Node hands them over', () => {
    for (const name of Object.values(HEADER)) expect(name).toBe(name.toLowerCase());
  });
});

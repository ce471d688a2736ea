import { API_VERSION, API_VERSIONS } from './api-version.js';

describe('SPEC §9: versions', () => {
  it('the current one is the last of the table', () => {
    expect(API_VERSIONS.at(-1)).toEqual({ version: API_VERSION });
  });
});

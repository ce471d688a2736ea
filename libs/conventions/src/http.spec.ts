import { HEADER } from './http.js';

describe('header names', () => {
  it('are in lower case, as Node hands them over', () => {
    for (const name of Object.values(HEADER)) expect(name).toBe(name.toLowerCase());
  });
});

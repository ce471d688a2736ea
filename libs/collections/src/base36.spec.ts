import fc from 'fast-check';

import { toBase36 } from './base36.js';

it('A stamp in base 36 is what toString(36) gives', () => {
  fc.assert(fc.property(fc.maxSafeNat(), (number) => expect(toBase36(number)).toBe(number.toString(36))));
  for (const number of [0, 35, 36 ** 6 - 1, 36 ** 6, 36 ** 6 + 1, Number.MAX_SAFE_INTEGER]) {
    expect(toBase36(number)).toBe(number.toString(36));
  }
});

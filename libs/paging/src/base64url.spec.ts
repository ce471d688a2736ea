import fc from 'fast-check';

import { fromBase64Url, toBase64Url } from './base64url.js';

describe('RFC 4648 §5, without padding', () => {
  it.each([
    ['', ''],
    ['f', 'Zg'],
    ['fo', 'Zm8'],
    ['foo', 'Zm9v'],
    ['foob', 'Zm9vYg'],
    ['fooba', 'Zm9vYmE'],
    ['foobar', 'Zm9vYmFy'],
  ])('%j is %j', (text, encoded) => {
    expect(toBase64Url(Buffer.from(text))).toBe(encoded);
  });

  it('equals the result of Node for any bytes, and decodes to them', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const text = toBase64Url(bytes);
        expect(text).toBe(Buffer.from(bytes).toString('base64url'));
        expect(fromBase64Url(text)).toEqual(bytes);
      }),
    );
  });

  it('accepts only the canonical text of the bytes', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\w-]{0,9}$/)), (text) => {
        const bytes = fromBase64Url(text);
        if (bytes !== undefined) expect(toBase64Url(bytes)).toBe(text);
      }),
    );
  });

  it.each(['A', 'Zm9vA', 'Z', 'Zh', 'Zm9', 'Zg==', 'Zm9v\n', ' Zg', 'Z+', 'Z/', 'Zm9vY', 'Z😀'])(
    '%j is refused',
    (text) => {
      expect(fromBase64Url(text)).toBeUndefined();
    },
  );
});

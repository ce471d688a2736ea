import fc from 'fast-check';

import { fromUtf8, toUtf8 } from './utf8.js';

describe('UTF-8', () => {
  it('equals the result of Node for any text, and decodes to it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(Buffer.from(toUtf8(text))).toEqual(Buffer.from(text));
        expect(fromUtf8(toUtf8(text))).toBe(text);
      }),
    );
  });

  it.each(['', '%', '%41', '100 %é', '\0\x7f\x80', '\u2028\n', '😀\u{10ffff}'])('keeps %j', (text) => {
    expect(Buffer.from(toUtf8(text))).toEqual(Buffer.from(text));
    expect(fromUtf8(toUtf8(text))).toBe(text);
  });

  it('reads any bytes as Node does, or refuses them', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 8 }), (bytes) => {
        let expected: string | undefined;
        try {
          expected = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
        } catch {
          expect(() => fromUtf8(bytes)).toThrow(URIError);
          return;
        }
        expect(fromUtf8(bytes)).toBe(expected);
      }),
    );
  });
});

import { createHmac } from 'node:crypto';

import { sealBy } from '@items/paging';
import fc from 'fast-check';

import { sealOf } from './cursors.js';

const SECRET = 'a secret of this test';
const asWritten = sealBy((bytes) => createHmac('sha256', SECRET).update(bytes).digest());

describe("Node's seal of cursors", () => {
  const seal = sealOf(SECRET);

  it('equals the seal of any platform: HMAC-SHA-256 and base64url', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(text !== '');
        expect(seal.seal(text)).toBe(asWritten.seal(text));
        expect(seal.open(asWritten.seal(text))).toBe(text);
      }),
    );
  });

  it('seals texts of any length, one after the other', () => {
    for (const length of [1, 5000, 3, 1000, 1024, 1025, 20_000, 2]) {
      const text = 'é'.repeat(length);
      expect(seal.seal(text)).toBe(asWritten.seal(text));
      expect(seal.open(asWritten.seal(text))).toBe(text);
    }
  });

  it.each([1, 63, 64, 65, 200])('uses a secret of %d characters as in RFC 2104', (length) => {
    const secret = 's'.repeat(length);
    const other = sealBy((bytes) => createHmac('sha256', secret).update(bytes).digest());
    expect(sealOf(secret).seal('text')).toBe(other.seal('text'));
  });

  it('rejects text that was changed, cut, lengthened or encoded differently', () => {
    const sealed = seal.seal('{"a":1}');
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
      expect(seal.open(changed)).toBeUndefined();
    }
    const forms = ['', sealed.slice(0, -1), `${sealed}A`, `${sealed}=`, ` ${sealed}`, `${sealed}\n`, `${sealed}!`];
    for (const form of forms) expect(seal.open(form)).toBeUndefined();
    expect(sealOf('another secret').open(sealed)).toBeUndefined();
  });
});

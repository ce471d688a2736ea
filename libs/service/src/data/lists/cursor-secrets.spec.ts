import { createHmac } from 'node:crypto';

import { sealBy } from '@items/paging';
import fc from 'fast-check';

import { sealOf } from './cursors.js';

const SECRET = 'a secret of this test';
const asWritten = sealBy((bytes) => createHmac('sha256', SECRET).update(bytes).digest());

describe("Node's seal of cursors", () => {
  const seal = sealOf(SECRET);

  it('is the one that every platform makes: HMAC-SHA-256 and base64url', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(text !== '');
        expect(seal.seal(text)).toBe(asWritten.seal(text));
        expect(seal.open(asWritten.seal(text))).toBe(text);
      }),
    );
  });

  it('takes a text of any length, one after the other', () => {
    for (const length of [1, 5000, 3, 1000, 1024, 1025, 20_000, 2]) {
      const text = 'é'.repeat(length);
      expect(seal.seal(text)).toBe(asWritten.seal(text));
      expect(seal.open(asWritten.seal(text))).toBe(text);
    }
  });

  it.each([1, 63, 64, 65, 200])('takes a secret of %d characters as RFC 2104 has it', (length) => {
    const secret = 's'.repeat(length);
    const other = sealBy((bytes) => createHmac('sha256', secret).update(bytes).digest());
    expect(sealOf(secret).seal('text')).toBe(other.seal('text'));
  });

  it('opens nothing that was changed, cut, lengthened or written otherwise', () => {
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

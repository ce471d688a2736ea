import { crc32 } from 'node:zlib';

import { hashSecret, isSameHash, isWellFormed, makeSecret } from './secret.js';

describe('The secret of an API key (SPEC §5.3)', () => {
  it('is itk_, 43 base62 of secret and 6 base62 of CRC32', () => {
    const secret = makeSecret();
    expect(secret).toMatch(/^itk_[0-9A-Za-z]{49}$/);
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    const checksum = [...secret.slice(-6)].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
    expect(checksum).toBe(crc32(secret.slice(0, -6)));
  });

  it('is never created twice, and is well-formed', () => {
    const secrets = Array.from({ length: 1000 }, makeSecret);
    expect(new Set(secrets).size).toBe(1000);
    expect(secrets.every(isWellFormed)).toBe(true);
  });

  it('is refused with one character changed, one missing, one more, or in another case', () => {
    const secret = makeSecret();
    for (let at = 0; at < secret.length; at++) {
      const other = secret[at] === 'x' ? 'y' : 'x';
      expect(isWellFormed(secret.slice(0, at) + other + secret.slice(at + 1))).toBe(false);
    }
    expect(isWellFormed(secret.slice(0, -1))).toBe(false);
    expect(isWellFormed(`${secret}0`)).toBe(false);
    expect(isWellFormed(`${secret}\n`)).toBe(false);
    expect(isWellFormed(secret.toUpperCase())).toBe(false);
  });

  it('is stored as its SHA-256 only', () => {
    expect(hashSecret('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
    expect(isSameHash(hashSecret('abc'), hashSecret('abc'))).toBe(true);
    expect(isSameHash(hashSecret('abc'), hashSecret('abd'))).toBe(false);
    expect(isSameHash(hashSecret('abc'), '')).toBe(false);
  });
});

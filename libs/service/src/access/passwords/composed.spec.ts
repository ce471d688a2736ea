import { growth } from '@items/testing';

import { composed } from './password-hasher.js';

describe('The one form of a password (RFC 8265 §4.2)', () => {
  it('is NFC, the composed form', () => {
    expect(composed('A\u030angstro\u0308m')).toBe('\u00c5ngstr\u00f6m');
  });

  it('is composed for every spelling of a password of 256 characters', () => {
    const password = '\u1ea4'.repeat(256);
    expect(composed(password.normalize('NFD'))).toBe(password);
  });

  it('costs a time proportional to the length, also of combining marks in the wrong order', () => {
    const marks = (size: number) => `a${'\u0300'.repeat(size / 2)}${'\u0316'.repeat(size / 2)}`;
    expect(growth(marks, composed, 1024)).toBeLessThan(5);
  });
});

import { ExpiredCursorError, InvalidCursorError } from '@items/conventions';
import { decodeCursor, type CursorPosition } from '@items/paging';
import fc from 'fast-check';

import { sealOf, Cursors } from './cursors.js';

const seal = sealOf('a secret of this test');
const TTL_MS = 60_000;
const position = (fingerprint: string, issuedAtMs = Date.now()): CursorPosition => ({
  ...{ fingerprint, issuedAtMs, snapshot: [1_795_170_600_000_000, 0], epoch: 'Yx3_-aB9' },
  ...{ key: ['blue', 1250, null], id: '0193463f-7a3c-7cc1-9d7a-3f1c2b4d5e6f' },
});

describe('The cursors of a collection', () => {
  const opened = jest.fn((sealed: string) => seal.open(sealed));
  let cursors: Cursors;

  beforeEach(() => {
    opened.mockClear();
    cursors = new Cursors({ seals: [{ seal: (text) => seal.seal(text), open: opened }], ttlMs: TTL_MS });
  });

  it('have the same content when they are made and opened', () => {
    const any = fc.record({
      fingerprint: fc.string({ maxLength: 16 }),
      issuedAtMs: fc.constant(Date.now()),
      snapshot: fc.array(fc.maxSafeInteger(), { minLength: 1, maxLength: 16 }),
      epoch: fc.string({ maxLength: 8 }),
      key: fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.constant(null)), { maxLength: 4 }),
      id: fc.uuid(),
    });
    fc.assert(
      fc.property(any, (made) => {
        const cursor = cursors.make(made);
        expect(cursors.read(cursor, made.fingerprint)).toEqual(decodeCursor(cursor, made.fingerprint, [seal]));
        expect(opened).not.toHaveBeenCalled();
      }),
      { endOnFailure: true },
    );
  });

  it('made by other instances are decoded once', () => {
    const cursor = new Cursors({ seals: [seal], ttlMs: TTL_MS }).make(position('this list'));
    for (let time = 0; time < 3; time += 1) expect(cursors.read(cursor, 'this list').key).toEqual(['blue', 1250, null]);
    expect(opened).toHaveBeenCalledTimes(1);
  });

  it('are checked each time, cached or not: their list, age and seal', () => {
    const good = cursors.make(position('this list'));
    const old = cursors.make(position('this list', Date.now() - TTL_MS - 1));
    const forged = sealOf('another secret').seal(JSON.stringify(['this list', Date.now(), '1', [], 'id', '']));
    for (let time = 0; time < 2; time += 1) {
      expect(() => cursors.read(good, 'another list')).toThrow(InvalidCursorError);
      expect(() => cursors.read(old, 'this list')).toThrow(ExpiredCursorError);
      expect(() => cursors.read(forged, 'this list')).toThrow(InvalidCursorError);
      expect(() => cursors.read(`${good}A`, 'this list')).toThrow(InvalidCursorError);
    }
    expect(cursors.read(good, 'this list').fingerprint).toBe('this list');
  });

  it('are cached up to a limit, and decoded beyond it', () => {
    const first = cursors.make(position('this list'));
    for (let n = 0; n < 600; n += 1) cursors.make(position(`list ${String(n)}`));
    expect(cursors.read(first, 'this list')).toEqual(decodeCursor(first, 'this list', [seal]));
    expect(opened).toHaveBeenCalledTimes(1);
  });
});

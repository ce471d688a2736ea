import { createHmac, randomUUID } from 'node:crypto';

import { InvalidCursorError } from '@items/conventions';
import fc from 'fast-check';

import { toBase64Url } from './base64url.js';
import { BEFORE_EPOCHS, decodeCursor, encodeCursor, type CursorPosition } from './cursor.js';
import { type Mac, type Seal, sealBy } from './seal.js';
import { toUtf8 } from './utf8.js';

const macOf =
  (secret: string): Mac =>
  (bytes) =>
    createHmac('sha256', secret).update(bytes).digest();
const mac = macOf('new');
const seal = sealBy(mac);

const POSITION: CursorPosition = {
  fingerprint: 'k3Jd92_-aB0x',
  issuedAtMs: Date.parse('2026-11-20T09:30:00.000Z'),
  epoch: 'Yx3_-aB9',
  snapshot: [1_795_170_600_000_000, 0, 42],
  key: ['blue', 1250, null],
  id: '0193463f-7a3c-7cc1-9d7a-3f1c2b4d5e6f',
};

const positions: fc.Arbitrary<CursorPosition> = fc.record({
  fingerprint: fc.string({ maxLength: 16 }),
  issuedAtMs: fc.maxSafeInteger(),
  snapshot: fc.array(fc.maxSafeInteger(), { minLength: 1, maxLength: 16 }),
  key: fc.array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.maxSafeInteger(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number)),
      fc.constant(null),
    ),
    { maxLength: 5 },
  ),
  id: fc.uuid(),
  epoch: fc.string({ maxLength: 8 }),
});

const decode = (cursor: string, fingerprint = POSITION.fingerprint, seals: readonly Seal[] = [seal]) =>
  decodeCursor(cursor, fingerprint, seals);

/** Returns a cursor that this service has signed, with a payload of any shape. */
function signed(payload: Uint8Array): string {
  return toBase64Url(Uint8Array.of(...mac(payload).subarray(0, 16), ...payload));
}

describe('SPEC §4 Cursor rules: the cursor leads on from where the page ended', () => {
  it('decodes to the encoded position, for every position', () => {
    fc.assert(
      fc.property(positions, (position) => {
        const cursor = encodeCursor(position, seal);
        expect(cursor).toMatch(/^[\w-]+$/);
        expect(decode(cursor, position.fingerprint)).toEqual(position);
      }),
    );
  });

  it('keeps a lone surrogate, NUL and every plane', () => {
    const key = ['\ud800', '\0', '\u2028', '😀\u{10ffff}', 'é', '"\\'];
    expect(decode(encodeCursor({ ...POSITION, key }, seal)).key).toEqual(key);
  });
});

describe('SPEC §4.2: the cursor is at most 4096 characters', () => {
  const snapshot = Array.from({ length: 16 }, () => Number.MAX_SAFE_INTEGER);
  const id = randomUUID();

  it('is at most 512 for 16 lanes and sorts by numbers and dates', () => {
    const key = [99_999_999_999, 253_402_300_799_999, 253_402_300_799_999];
    expect(encodeCursor({ ...POSITION, snapshot, key, id }, seal).length).toBeLessThanOrEqual(512);
  });

  it.each(['😀', '\u0001', '\u{10ffff}', '"'])('holds a name and a color made of %j', (character) => {
    const key = [character.repeat(200), character.repeat(30), 1, 2, 3];
    expect(encodeCursor({ ...POSITION, snapshot, key, id }, seal).length).toBeLessThanOrEqual(4096);
  });

  it('a key that does not fit throws a RangeError', () => {
    expect(() => encodeCursor({ ...POSITION, key: ['x'.repeat(4096)] }, seal)).toThrow(RangeError);
  });
});

describe('SPEC §4.2: the cursor is authenticated: a changed byte is 400', () => {
  const cursor = encodeCursor(POSITION, seal);

  it('every other character at every position is refused', () => {
    for (let index = 0; index < cursor.length; index += 1) {
      for (const character of 'A_-z0+/=. \n') {
        const forged = cursor.slice(0, index) + character + cursor.slice(index + 1);
        if (forged !== cursor) expect(() => decode(forged)).toThrow(InvalidCursorError);
      }
    }
  });

  it('cut, lengthened, padded, with white space', () => {
    const variants = [...cursor].map((_, index) => cursor.slice(0, index));
    variants.push(`${cursor}A`, `${cursor}=`, `${cursor}==`, ` ${cursor}`, `${cursor}\n`, cursor + cursor);
    for (const forged of variants) expect(() => decode(forged)).toThrow(InvalidCursorError);
  });

  it('signed with another secret, or none in use', () => {
    expect(() => decode(encodeCursor(POSITION, sealBy(macOf('other'))))).toThrow(InvalidCursorError);
    expect(() => decode(cursor, POSITION.fingerprint, [])).toThrow(InvalidCursorError);
  });

  it('any text at all', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.base64String({ maxLength: 400 }),
      fc.uint8Array({ maxLength: 400 }).map((bytes) => toBase64Url(bytes)),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(() => decode(text)).toThrow(InvalidCursorError);
      }),
    );
  });
});

describe('SPEC §4.2: the cursor is bound to its path, filter and sort', () => {
  it('a cursor of another path, filter or sort is 400', () => {
    expect(() => decode(encodeCursor(POSITION, seal), 'another')).toThrow(InvalidCursorError);
  });
});

describe('issue 3: the secret can be rotated without breaking walks', () => {
  const seals = ['newest', 'new', 'old'].map((secret) => sealBy(macOf(secret)));

  it.each(['newest', 'new', 'old'])('takes a cursor signed with the %s secret', (secret) => {
    expect(decode(encodeCursor(POSITION, sealBy(macOf(secret))), POSITION.fingerprint, seals)).toEqual(POSITION);
  });
});

describe('SPEC §4.1: the cursor of a released version is served by the next ones', () => {
  it('a cursor without an epoch is served', () => {
    const { fingerprint, issuedAtMs, key, id, snapshot } = POSITION;
    const clocks = snapshot.map((clock) => clock.toString(36)).join('.');
    const former = signed(toUtf8(JSON.stringify([fingerprint, issuedAtMs, clocks, key, id])));
    expect(decode(former)).toEqual({ ...POSITION, epoch: BEFORE_EPOCHS });
  });
});

describe('a payload that another version of the service signed', () => {
  const { fingerprint, issuedAtMs, key, id, epoch } = POSITION;

  it.each([
    ['not JSON', 'x'],
    ['not an array', '{}'],
    ['null', 'null'],
    ['too short', JSON.stringify([fingerprint, issuedAtMs, '1', key])],
    ['too long', JSON.stringify([fingerprint, issuedAtMs, '1', key, id, epoch, 1])],
    ['a fingerprint of another type', JSON.stringify([1, issuedAtMs, '1', key, id, epoch])],
    ['a time of another type', JSON.stringify([fingerprint, '1', '1', key, id, epoch])],
    ['a fractional time', JSON.stringify([fingerprint, 1.5, '1', key, id, epoch])],
    ['clocks of another type', JSON.stringify([fingerprint, issuedAtMs, [1], key, id, epoch])],
    ['no clock', JSON.stringify([fingerprint, issuedAtMs, '', key, id, epoch])],
    ['seventeen clocks', JSON.stringify([fingerprint, issuedAtMs, Array(17).fill('1').join('.'), key, id, epoch])],
    ['a clock beyond 2^53', JSON.stringify([fingerprint, issuedAtMs, 'z'.repeat(20), key, id, epoch])],
    ['a key of another type', JSON.stringify([fingerprint, issuedAtMs, '1', 'x', id, epoch])],
    ['a key part of another type', JSON.stringify([fingerprint, issuedAtMs, '1', [{}], id, epoch])],
    ['a key part beyond all numbers', `["${fingerprint}",1,"1",[1e400],"id","e"]`],
    ['an epoch of another type', JSON.stringify([fingerprint, issuedAtMs, '1', key, id, 1])],
    ['an id of another type', JSON.stringify([fingerprint, issuedAtMs, '1', key, 1, epoch])],
  ])('%s: 400', (_, payload) => {
    expect(() => decode(signed(toUtf8(payload)))).toThrow(InvalidCursorError);
  });

  it.each([[[0xff]], [[0xc0, 0x80]], [[0xed, 0xa0, 0x80]], [[]]])('bytes that are not UTF-8 (%j): 400', (bytes) => {
    expect(() => decode(signed(Uint8Array.from(bytes)))).toThrow(InvalidCursorError);
  });
});

import fc from 'fast-check';

import { shownName } from './shown-name.js';

describe('SPEC §2.4: names are cut at 64 characters', () => {
  it('keeps a name of 64 code points, astral ones too', () => {
    expect(shownName('😀'.repeat(64))).toBe('😀'.repeat(64));
  });

  it('cuts the 65th', () => {
    expect(shownName(`${'😀'.repeat(64)}x`)).toBe('😀'.repeat(64));
    expect(shownName('a'.repeat(1_000_000))).toBe('a'.repeat(64));
  });

  it.each(['\0', '\n', '\u001b', '\u007f', '\u0085', '\u202e', '\u2028', '\ud800', '\ufeff'])(
    'shows %j as U+FFFD',
    (character) => {
      expect(shownName(`a${character}b`)).toBe('a\uFFFDb');
    },
  );

  it('is well-formed and at most 64 code points for every name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => {
        const shown = shownName(name);
        expect([...shown].length).toBeLessThanOrEqual(64);
        expect(shown).toBe(Buffer.from(shown).toString());
      }),
    );
  });
});

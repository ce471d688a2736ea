import { oddBodies } from './json-bodies.js';
import { encoded, inHeader, inJson, oddTexts } from './texts.js';

const LENGTHS = [0, 1, 2, 3, 7, 49, 50, 51, 52, 999, 1000, 1001];

describe('The odd texts that hostile clients send', () => {
  it.each([
    ['headers', inHeader],
    ['URLs and forms', encoded],
    ['JSON', inJson],
  ])('can have any length as %s', (_, asSent) => {
    for (const [title, textOf] of oddTexts()) {
      for (const length of LENGTHS) {
        expect({ title, length, bytes: asSent(textOf, length).length <= Math.max(length, 60) }).toEqual({
          title,
          length,
          bytes: true,
        });
      }
    }
  });

  it('can have any length as bodies', () => {
    for (const [, bodyOf] of oddBodies()) {
      for (const length of LENGTHS) expect(typeof bodyOf(length)).toBe('string');
    }
  });
});

import { named, pascalCase } from './component-names.js';

describe('The name of a component', () => {
  it.each([
    ['created_at_min', 'CreatedAtMin'],
    ['X-RateLimit-Limit', 'XRateLimitLimit'],
    ['ItemOffsetPage', 'ItemOffsetPage'],
    ['400', 'N400'],
    ['name.4', 'Name4'],
    ['Client has this state.', 'ClientHasThisState'],
  ])('is made from %s: %s', (text, name) => {
    expect(pascalCase(text)).toBe(name);
  });

  const things = [
    { thing: 'a', names: ['Name', 'ItemName'] },
    { thing: 'b', names: ['NAME', 'UserName'] },
    { thing: 'c', names: ['Price'] },
    { thing: 'd', names: ['Error', 'DeliveryError'] },
    { thing: 'e', names: ['Same'] },
    { thing: 'f', names: ['Same'] },
  ];
  const expected = { a: 'ItemName', b: 'UserName', c: 'Price', d: 'DeliveryError', e: 'Same2', f: 'Same3' };

  it('is unique regardless of case, and a contested name is not used', () => {
    expect(Object.fromEntries(named(things, (thing) => thing, ['error']))).toEqual(expected);
  });

  it('does not depend on the order of the things', () => {
    for (let turn = 0; turn < things.length; turn += 1) {
      const turned = [...things.slice(turn), ...things.slice(0, turn)];
      expect(Object.fromEntries(named(turned, (thing) => thing, ['error']))).toEqual(expected);
      expect(Object.fromEntries(named(turned.reverse(), (thing) => thing, ['error']))).toEqual(expected);
    }
  });
});

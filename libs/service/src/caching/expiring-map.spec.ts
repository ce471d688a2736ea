import { bytesOf } from './bytes-of.js';
import { ExpiringMap } from './expiring-map.js';

describe('ExpiringMap', () => {
  it('knows an entry until it expires', () => {
    const map = new ExpiringMap<number>({ entries: 10, bytes: 10_000 });
    map.set('a', 1, 1000);
    expect([map.get('a', 999), map.get('a', 1000), map.get('b', 0)]).toEqual([1, undefined, undefined]);
  });

  it('where it is full, forgets what was not asked for for the longest time, and nothing else', () => {
    const map = new ExpiringMap<number>({ entries: 3, bytes: 10_000 });
    for (const [index, key] of ['a', 'b', 'c'].entries()) map.set(key, index, 1000);
    map.get('a', 0);
    map.set('d', 3, 1000);
    expect(['a', 'b', 'c', 'd'].map((key) => map.get(key, 0))).toEqual([0, undefined, 2, 3]);
  });

  it('is bounded in bytes, of keys as of values', () => {
    const map = new ExpiringMap<string>({ entries: 1_000_000, bytes: 1_000_000 });
    for (let i = 0; i < 100; i += 1) map.set(`${String(i)}${'k'.repeat(20_000)}`, '', 1000);
    expect(map.size).toBeLessThan(26);
    for (let i = 0; i < 100; i += 1) map.set(String(i), 'v'.repeat(20_000), 1000);
    expect(map.size).toBeGreaterThan(20);
    expect(map.size).toBeLessThan(26);
  });

  it('does not keep what is larger than all may be together, and keeps the others', () => {
    const map = new ExpiringMap<string>({ entries: 10, bytes: 10_000 });
    map.set('a', 'small', 1000);
    map.set('b', 'x'.repeat(10_000), 1000);
    expect([map.get('a', 0), map.get('b', 0)]).toEqual(['small', undefined]);
  });
});

describe('bytesOf', () => {
  it.each([
    ['a text', 'x'.repeat(1000), 2000],
    ['a list of texts', ['x'.repeat(500), 'x'.repeat(500)], 2000],
    ['a set of texts', new Set(['x'.repeat(1000)]), 2000],
    ['a map of texts', new Map([['k', 'x'.repeat(1000)]]), 2000],
    ['an object', { scopes: new Set(['a']), uris: ['x'.repeat(1000)] }, 2000],
  ])('%s takes at least what its texts take', (_, value, least) => {
    expect(bytesOf(value)).toBeGreaterThanOrEqual(least);
    expect(bytesOf(value)).toBeLessThan(least + 500);
  });
});

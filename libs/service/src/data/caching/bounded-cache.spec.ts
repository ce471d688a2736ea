import { bytesOf, boundedCache } from './bounded-cache.js';

const clock = { ms: 1, now: () => clock.ms };
beforeEach(() => {
  clock.ms = 1;
});

describe('A bounded cache', () => {
  it('returns an entry until it expires', () => {
    const cache = boundedCache<object>({ maxBytes: 10_000, ttlMs: 1000, clock });
    const value = {};
    cache.set('a', value);
    clock.ms = 1001;
    expect([cache.get('a'), cache.get('b')]).toEqual([value, undefined]);
    clock.ms = 1002;
    expect(cache.get('a')).toBeUndefined();
  });

  it('evicts only the least recently used entry when it is full', () => {
    const text = 'x'.repeat(1000);
    const cache = boundedCache<object>({ maxBytes: 7_000, ttlMs: 1000, clock });
    for (const key of ['a', 'b', 'c']) cache.set(key, { key, text });
    cache.get('a');
    cache.set('d', { key: 'd', text });
    expect(['a', 'b', 'c', 'd'].map((key) => cache.has(key))).toEqual([true, false, true, true]);
  });

  it('limits the bytes of keys and values', () => {
    const cache = boundedCache<object>({ maxBytes: 1_000_000, ttlMs: 1000, clock });
    for (let i = 0; i < 100; i += 1) cache.set(`${String(i)}${'k'.repeat(20_000)}`, {});
    expect(cache.size).toBeLessThan(26);
    for (let i = 0; i < 100; i += 1) cache.set(String(i), { text: 'v'.repeat(20_000) });
    expect(cache.size).toBeGreaterThan(20);
    expect(cache.size).toBeLessThan(26);
  });

  it('does not store an entry above the limit, and retains the others', () => {
    const cache = boundedCache<object>({ maxBytes: 10_000, ttlMs: 1000, clock });
    cache.set('a', { text: 'small' });
    cache.set('b', { text: 'x'.repeat(10_000) });
    expect([cache.has('a'), cache.has('b')]).toEqual([true, false]);
  });
});

describe('bytesOf', () => {
  it.each([
    ['a text', 'x'.repeat(1000), 2000],
    ['a list of texts', ['x'.repeat(500), 'x'.repeat(500)], 2000],
    ['a set of texts', new Set(['x'.repeat(1000)]), 2000],
    ['a map of texts', new Map([['k', 'x'.repeat(1000)]]), 2000],
    ['an object', { scopes: new Set(['a']), uris: ['x'.repeat(1000)] }, 2000],
  ])('%s takes at least the bytes of its texts', (_, value, least) => {
    expect(bytesOf(value)).toBeGreaterThanOrEqual(least);
    expect(bytesOf(value)).toBeLessThan(least + 500);
  });
});

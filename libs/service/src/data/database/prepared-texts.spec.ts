import { MAX_TEXTS, preparedTexts } from './prepared-texts.js';

/** Counts how often each text was prepared. */
function countedCache() {
  const counts = new Map<string, number>();
  let evicted = 0;
  const texts = preparedTexts<{ sql: string }>(() => (evicted += 1));
  const prepare = (sql: string) => {
    counts.set(sql, (counts.get(sql) ?? 0) + 1);
    return { sql };
  };
  const get = (sql: string) => {
    const known = texts.get(sql);
    if (known !== undefined) return known;
    const prepared = prepare(sql);
    texts.set(sql, prepared);
    return prepared;
  };
  return { cache: { get }, counts, evictions: () => evicted };
}

describe('The cache of prepared statements', () => {
  it('prepares a text once', () => {
    const { cache, counts } = countedCache();
    for (let i = 0; i < 3; i += 1) expect(cache.get('SELECT 1').sql).toBe('SELECT 1');
    expect(counts.get('SELECT 1')).toBe(1);
  });

  it('retains used entries among any number of others, even older ones', () => {
    const { cache, counts } = countedCache();
    for (let i = 0; i < MAX_TEXTS; i += 1) cache.get(`SELECT odd_${String(i)}`);
    for (let i = 0; i < 2000; i += 1) {
      cache.get('SELECT hot');
      cache.get(`SELECT odder_${String(i)}`);
    }
    expect(counts.get('SELECT hot')).toBe(1);
  });

  it('evicts the least recently used entries', () => {
    const { cache, counts, evictions } = countedCache();
    for (let i = 0; i <= MAX_TEXTS; i += 1) cache.get(`SELECT ${String(i)}`);
    expect(evictions()).toBe(1);
    cache.get('SELECT 1');
    cache.get('SELECT 0');
    expect([counts.get('SELECT 1'), counts.get('SELECT 0')]).toEqual([1, 2]);
  });

  it('does not cache very long texts, and caches a mebibyte of long ones', () => {
    const { cache, counts } = countedCache();
    const huge = `SELECT ${'x'.repeat(20_000)}`;
    for (let i = 0; i < 2; i += 1) cache.get(huge);
    expect(counts.get(huge)).toBe(2);
    const long = Array.from({ length: 100 }, (_, i) => `SELECT ${String(i)}${'x'.repeat(16_000)}`);
    for (const sql of long) cache.get(sql);
    for (const sql of long.toReversed()) cache.get(sql);
    const again = long.filter((sql) => counts.get(sql) === 2);
    expect(again.length).toBeGreaterThan(30);
    expect(again.length).toBeLessThan(40);
  });
});

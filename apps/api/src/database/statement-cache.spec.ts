import { StatementCache } from './statement-cache.js';

describe('StatementCache', () => {
  const many = Array.from({ length: 700 }, (_, i) => `SELECT ${i}`);

  it('prepares a text once', () => {
    const prepare = jest.fn((sql: string) => sql);
    const cache = new StatementCache(prepare);
    for (let i = 0; i < 3; i += 1) cache.get('SELECT 1');
    expect(prepare).toHaveBeenCalledTimes(1);
  });

  it('never gives two texts the same number, however many there are', () => {
    const cache = new StatementCache((_sql, ordinal) => ordinal);
    const numbers = many.map((sql) => cache.get(sql));
    const kept = numbers.filter((number) => number !== undefined);
    expect(new Set(kept).size).toBe(kept.length);
    expect(numbers.length - kept.length).toBe(200);
    expect(many.map((sql) => cache.get(sql))).toEqual(numbers);
  });
});

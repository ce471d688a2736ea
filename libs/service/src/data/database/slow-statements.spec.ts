import { postgresUnderTest, provideDatabase } from '@items/testing';

import { EMPTY_SCHEMA } from '../testing/store-database.testing.js';
import { databaseAt } from '../testing/database-url.testing.js';
import { openDatabase } from '../opening/open-database.js';

const itIfServed = postgresUnderTest() === undefined ? it.skip : it;

describe('The log line of a slow statement has its text without its parameters', () => {
  async function linesOf(name: 'sqlite' | 'postgres', slow: string): Promise<unknown[]> {
    const { url, drop } = await provideDatabase(name);
    const lines: unknown[] = [];
    const log = { info: jest.fn(), warn: (fields: object, message: string) => void lines.push({ message, ...fields }) };
    const database = await openDatabase(databaseAt(url), EMPTY_SCHEMA, { ...log, error: jest.fn() }, { slowMs: 100 });
    lines.length = 0;
    await database.query('SELECT $1 AS quick', ['secret']);
    await database.query(slow, ['secret']);
    await database.transaction((tx) => tx.query(slow, ['secret']));
    await database.close();
    await drop();
    return lines;
  }

  const line = (sql: string) => ({ message: 'slow statement', sql, duration_ms: expect.any(Number) as number });

  it('a slow statement on SQLite is one line', async () => {
    const slow = `WITH RECURSIVE n (i) AS (SELECT 1
      UNION ALL SELECT i + 1 FROM n WHERE i < 3000000) SELECT count(*) FROM n WHERE $1 <> ''`;
    const text = slow.replace(/\s+/g, ' ');
    expect(await linesOf('sqlite', slow)).toEqual([line(text), line(text)]);
  });

  itIfServed('on PostgreSQL', async () => {
    const slow = 'SELECT pg_sleep(0.15), $1::text';
    expect(await linesOf('postgres', slow)).toEqual([line(slow), line(slow)]);
  });
});

import { postgresUnderTest, provideDatabase } from '@items/testing';
import type { QueryRunner } from 'typeorm';

import type { StoreLog } from '../outages/store-log.js';
import { EMPTY_SCHEMA } from '../testing/store-database.testing.js';
import { databaseAt } from '../testing/database-url.testing.js';
import { openDatabase } from './open-database.js';

class IndexSettings {
  readonly name = 'IndexSettings2000000000000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX CONCURRENTLY settings_by_value ON settings (value)');
  }
}

class FailingMigration {
  readonly name = 'FailingMigration2000000000000';

  up(): Promise<void> {
    return Promise.reject(new Error('the members conflict'));
  }
}

const databases: readonly ('sqlite' | 'postgres')[] =
  postgresUnderTest() === undefined ? ['sqlite'] : ['sqlite', 'postgres'];
const itIfServed = postgresUnderTest() === undefined ? it.skip : it;

describe('Opening a database', () => {
  async function saidOfTwoStarts(name: 'sqlite' | 'postgres'): Promise<string[]> {
    const said: string[] = [];
    const log: StoreLog = { info: jest.fn(), warn: (_, message) => void said.push(message), error: jest.fn() };
    const { url, drop } = await provideDatabase(name);
    for (let start = 0; start < 2; start += 1) await (await openDatabase(databaseAt(url), EMPTY_SCHEMA, log)).close();
    await drop();
    return said;
  }

  it('logs a new database once (SQLite)', async () => {
    expect(await saidOfTwoStarts('sqlite')).toEqual([expect.stringMatching(/^found no tables in .+items\.sqlite:/)]);
  });

  itIfServed('says that it is new, and nothing the next time (PostgreSQL)', async () => {
    expect(await saidOfTwoStarts('postgres')).toEqual([
      expect.stringContaining('no tables in the PostgreSQL database'),
    ]);
  });

  it.each(databases)('fails with the error of a migration, and prints nothing itself (%s)', async (name) => {
    const print = jest.spyOn(console, 'log').mockReturnValue();
    const { url, drop } = await provideDatabase(name);
    try {
      const opening = openDatabase(databaseAt(url), { migrations: [FailingMigration] });
      await expect(opening).rejects.toThrow('the members conflict');
      expect(print).not.toHaveBeenCalled();
    } finally {
      print.mockRestore();
      await drop();
    }
  });

  itIfServed(
    'makes an index beside the writers, while other instances wait for it',
    async () => {
      const { url, drop } = await provideDatabase('postgres');
      const opened = await Promise.all(
        [1, 2, 3].map(() => openDatabase(databaseAt(url), { migrations: [IndexSettings] })),
      );
      await Promise.all(opened.map((database) => database.close()));
      await drop();
    },
    15_000,
  );
});

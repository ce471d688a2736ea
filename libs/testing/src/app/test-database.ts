import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createDatabase } from '../postgres/create-database.js';

export type DatabaseName = 'sqlite' | 'postgres';

/** An empty database of a single test. */
export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** @throws {Error} there is no PostgreSQL. */
export async function provideDatabase(name: DatabaseName): Promise<TestDatabase> {
  return name === 'sqlite' ? provideSqlite() : createDatabase();
}

function provideSqlite(): TestDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'items-sqlite-'));
  return {
    url: `sqlite:${join(folder, 'items.sqlite')}`,
    drop: () => {
      rmSync(folder, { recursive: true, force: true });
      return Promise.resolve();
    },
  };
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createDatabase } from '../postgres/create-database.js';

/** The databases that the service runs on. */
export type DatabaseName = 'sqlite' | 'postgres';

/** An empty database of a test's own. */
export interface TestDatabase {
  /** Value of `DATABASE_URL`. */
  readonly url: string;
  /** Removes it with everything in it. */
  drop(): Promise<void>;
}

/** An empty database for one test alone. @throws {Error} where no PostgreSQL can be had. */
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

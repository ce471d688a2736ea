import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Integer, Optional, Text } from '@items/fields';
import { onBothDatabases } from '@items/testing';

import { collection } from '../index.js';
import type { MissingMigrationError } from './collections/missing-migration.js';
import { StartedServices } from './started-services.testing.js';
import { runAdminCommand } from './testing/run-admin.testing.js';

class FormerInput {
  @Text({ max: 100 }) title!: string;
}
class RankedInput extends FormerInput {
  @Integer({ min: 0, max: 9 }) rank!: number;
}
class NotedInput extends FormerInput {
  @Optional() @Text({ max: 20 }) note!: string | null;
}
const books = { name: 'books', singular: 'book', input: FormerInput };

type Options = Parameters<typeof collection<FormerInput>>[0];

interface Restored {
  readonly output: string;
  /** Response to `GET /books` after the restore. */
  readonly text: string;
}

/** Backs up one book, migrates the collection, and restores the backup. */
function afterRestore(
  title: string,
  change: Partial<Options>,
  check: (restored: Restored, isSqlite: boolean) => void,
  edit = (statement: string): string => statement,
): void {
  onBothDatabases(
    'A backup of a collection that a later migration changed',
    (config) => Promise.resolve(new StartedServices(config)),
    (under) => {
      const folder = mkdtempSync(join(tmpdir(), 'items-older-backup-'));
      afterAll(() => {
        rmSync(folder, { recursive: true });
      });

      it(title, async () => {
        const { config, database: services } = under;
        const backup = join(folder, 'books.backup');
        const former = [collection(books)] as const;
        const first = await services.start({ collections: former });
        await first.admin.post('/books', { title: 'Emma' });
        await first.stop();
        expect(await runAdminCommand(config, { collections: former }, 'backup', backup)).toMatch(/^Backed up to /);

        const collections = [collection({ ...books, ...change })] as const;
        const error = await services.start({ collections }).catch((reason: unknown) => reason);
        const { migration } = error as MissingMigrationError;
        const { sqlite, postgres } = migration;
        const migrations = [{ ...migration, sqlite: sqlite.map(edit), postgres: postgres.map(edit) }];
        await (await services.start({ collections, migrations })).stop();
        const output = await runAdminCommand(config, { collections, migrations }, 'restore', backup);

        const third = await services.start({ collections, migrations });
        check({ output, text: (await third.admin.get('/books')).text }, config.dialect === 'sqlite');
      });
    },
  );
}

const INSTRUCTION = 'with the version that made it, and start this version on that database.';

afterRestore(
  'is refused on PostgreSQL if its rows lack a required column, and migrated on SQLite',
  { input: RankedInput },
  ({ output, text }, isSqlite) => {
    expect(text).toContain('"rank":0');
    if (isSqlite) expect(output).toMatch(/^Restored the backup of /);
    else expect(output).toContain(`The backup is older than the column rank of books: restore it ${INSTRUCTION}`);
  },
);

afterRestore(
  'is refused on PostgreSQL if the migration fills a column, and migrated on SQLite',
  { input: NotedInput },
  ({ output, text }, isSqlite) => {
    expect(text).toContain('"note":"old"');
    if (isSqlite) expect(output).toMatch(/^Restored the backup of /);
    else expect(output).toContain('The members of "books" are older than the migration "books_add_note": restore ');
  },
  (statement) => (statement.includes('ADD COLUMN') ? `${statement} DEFAULT 'old'` : statement),
);

afterRestore(
  'is restored if the migration adds a column that begins as null',
  { input: NotedInput },
  ({ output, text }) => {
    expect(output).toMatch(/^Restored the backup of /);
    expect(text).toContain('"note":null');
  },
);

afterRestore('is restored if the migration changes only indexes', { unique: ['title'] }, ({ output, text }) => {
  expect(output).toMatch(/^Restored the backup of /);
  expect(text).toContain('"title":"Emma"');
});

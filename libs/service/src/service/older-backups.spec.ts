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
class MaybeRankedInput extends FormerInput {
  @Optional() @Integer({ min: 0, max: 9 }) rank!: number | null;
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

interface Case {
  readonly former?: Partial<Options>;
  /** Titles of the books in the backup. Only the first remains when the collection is migrated. */
  readonly titles?: readonly string[];
  readonly changed: Partial<Options>;
  /** Changes a statement of the printed migration. */
  readonly edit?: (statement: string) => string;
}

/** Backs up books, migrates the collection, and restores the backup. */
function afterRestore(
  title: string,
  { former: formerOptions, titles = ['Emma'], changed, edit = (statement) => statement }: Case,
  check: (restored: Restored, isSqlite: boolean) => void,
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
        const former = [collection({ ...books, ...formerOptions })] as const;
        const first = await services.start({ collections: former });
        const isRanked = formerOptions?.input === RankedInput;
        const paths: string[] = [];
        for (const each of titles) {
          const created = await first.admin.post('/books', { title: each, ...(isRanked && { rank: 5 }) });
          paths.push(created.header('location') ?? '');
        }
        expect(await runAdminCommand(config, { collections: former }, 'backup', backup)).toMatch(/^Backed up to /);
        for (const path of paths.slice(1)) expect((await first.admin.delete(path)).status).toBe(204);
        await first.stop();

        const collections = [collection({ ...books, ...changed })] as const;
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
const RESTORED = /^Restored the backup of /;

afterRestore(
  'is refused on PostgreSQL if its rows lack a required column, and migrated on SQLite',
  { changed: { input: RankedInput } },
  ({ output, text }, isSqlite) => {
    expect(text).toContain('"rank":0');
    if (isSqlite) expect(output).toMatch(RESTORED);
    else expect(output).toContain(`The backup is older than the column rank of books: restore it ${INSTRUCTION}`);
  },
);

afterRestore(
  'is refused on PostgreSQL if the migration fills a column, and migrated on SQLite',
  {
    changed: { input: NotedInput },
    edit: (statement) => (statement.includes('ADD COLUMN') ? `${statement} DEFAULT 'old'` : statement),
  },
  ({ output, text }, isSqlite) => {
    expect(text).toContain('"note":"old"');
    if (isSqlite) expect(output).toMatch(RESTORED);
    else expect(output).toContain('The members of "books" are older than the migration "books_add_note": restore ');
  },
);

afterRestore(
  'is refused if its rows violate a later unique key',
  { titles: ['Emma', 'Emma'], changed: { unique: ['title'] } },
  ({ output, text }, isSqlite) => {
    expect(output).toContain(
      isSqlite ? 'have the same title' : 'The backup is older than the unique key (title) of books: restore it with ',
    );
    expect(text.match(/"title":"Emma"/g)).toHaveLength(1);
  },
);

afterRestore(
  'is restored if the migration adds a column that begins as null',
  { changed: { input: NotedInput } },
  ({ output, text }) => {
    expect(output).toMatch(RESTORED);
    expect(text).toContain('"note":null');
  },
);

afterRestore(
  'is restored if the migration removes a column',
  { former: { input: RankedInput }, changed: {} },
  ({ output, text }) => {
    expect(output).toMatch(RESTORED);
    expect(text).not.toContain('rank');
  },
);

afterRestore(
  'is restored if the migration makes a field optional',
  { former: { input: RankedInput }, changed: { input: MaybeRankedInput } },
  ({ output, text }) => {
    expect(output).toMatch(RESTORED);
    expect(text).toContain('"rank":5');
  },
);

afterRestore(
  'is restored if the migration changes only indexes',
  { changed: { unique: ['title'] } },
  ({ output, text }) => {
    expect(output).toMatch(RESTORED);
    expect(text).toContain('"title":"Emma"');
  },
);

import { Integer, Sortable, Text } from '@items/fields';

import { defineCollection } from './define-collection.js';
import { requireColumns } from './require-columns.js';
import { describeOnBothDatabases } from '../testing/database.testing.js';
import { itemCollection } from '../testing/item-collection.testing.js';

class RankedItemDto {
  @Sortable()
  @Text({ max: 200 })
  name!: string;

  @Integer({ min: 0, max: 9 })
  rank!: number;
}

const ranked = defineCollection({ name: 'items', singular: 'item', dto: RankedItemDto });
const books = defineCollection({ name: 'books', singular: 'book', dto: RankedItemDto });

describeOnBothDatabases('The check of the columns of a collection', (under) => {
  const run = (sql: string): Promise<unknown> => under.database.transaction((tx) => tx.query(sql));

  it('accepts tables with all columns and additional ones', async () => {
    await expect(requireColumns(under.database, itemCollection)).resolves.toBeUndefined();
  });

  it('names each missing column of both tables, and the remedy', async () => {
    await expect(requireColumns(under.database, ranked)).rejects.toThrow(
      'The collection "items" needs items.rank, items_versions.rank in the database: add a migration that creates them, ' +
        'and list it with the other migrations.',
    );
  });

  it('names a missing version table', async () => {
    await run('ALTER TABLE items ADD COLUMN rank bigint');
    await expect(requireColumns(under.database, ranked)).rejects.toThrow('needs items_versions.rank in the database');
    await run('ALTER TABLE items_versions ADD COLUMN rank bigint');
    await expect(requireColumns(under.database, ranked)).resolves.toBeUndefined();
  });

  it('names both tables if neither exists', async () => {
    await expect(requireColumns(under.database, books)).rejects.toThrow(
      'The collection "books" needs the table books, the table books_versions in the database',
    );
  });
});

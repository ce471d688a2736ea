import fc from 'fast-check';

import { CollectionReader } from '../collections/collection-reader.js';
import { sealOf } from './cursors.js';
import { RowStore } from '../writes/row-store.js';
import { namedRow } from '../database/versioned-row.js';
import { describeOnBothDatabases } from '../testing/database.testing.js';
import { itemCollection } from '../testing/item-collection.testing.js';
import { Totals } from './totals.js';

/** Both databases refuse NUL and half of a surrogate pair in compared texts, and so do the inputs. */
const text = fc
  .oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), fc.string())
  .map((any) => any.replace(/[\0\p{Cs}]/gu, ''));
const item = fc.record({
  name: text,
  description: fc.option(text),
  color: fc.option(text),
  price: fc.option(
    fc.oneof(fc.integer({ min: 0, max: 99_999_999_999 }), fc.constantFrom(0, 10, 100, 199, 2 ** 53 - 1)),
  ),
});
/** Values that a database may write differently in JSON. */
const HARD = [
  '"',
  '\\',
  '\n\r\t\b\f',
  '\u0001\u001f',
  '\u007f\u0080\u009f',
  '\u2028\u2029',
  'é',
  '😀',
  '\ufeff',
  "'",
  '/',
  '[1,2]',
  'null',
];

describeOnBothDatabases('The rows of a page', (under) => {
  it('equal the rows that are read one by one, byte for byte', async () => {
    const { database } = under;
    const { columns, name: table } = itemCollection;
    const totals = new Totals(table, itemCollection.countedFilters);
    const store = new RowStore(database, { name: table, columns }, totals);
    const seals = [sealOf('a secret of this test')];
    const reader = new CollectionReader(database, itemCollection, columns, totals, { seals, ttlMs: 1e6 });
    const items = [
      ...HARD.map((name) => ({ name, description: name, color: null, price: null })),
      ...fc.sample(item, { numRuns: 150, seed: 56 }),
    ];
    await database.transaction(async (tx) => {
      for (const [index, own] of items.entries()) {
        // Times before 1970 are negative, current ones have 13 digits.
        const time = index % 3 === 0 ? -index : 1_700_000_000_000 + index;
        await store.insert(tx, own, { created_at: time, updated_at: time + (index % 2) });
      }
    });

    const shown: string[] = [];
    const listed: string[] = [];
    let cursor: string | undefined;
    do {
      const sort = [{ field: 'name', descending: false }];
      const request = { style: 'cursor' as const, limit: 40, sort, filter: {}, ...(cursor && { cursor }) };
      const { json, body } = await reader.list(request, '/items');
      const page = body as unknown as { items: { id: string }[]; next_cursor?: string };
      for (const { id } of page.items) {
        const [values] = await database.readValues(store.selectSql, [id]);
        shown.push(values === undefined ? '' : JSON.stringify(itemCollection.present(namedRow(columns, values))));
      }
      const text = String(json);
      listed.push(text.slice('{"items":['.length, text.lastIndexOf('],"limit"')));
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    expect(shown).toHaveLength(items.length);
    expect(listed.join(',')).toBe(shown.join(','));
  });
});

import { describeOnBothDatabases } from '../testing/fixture-database.testing.js';

describeOnBothDatabases('The migrations', (under) => {
  it('guard the rows of every collection against changes without a stamp', async () => {
    const { database } = under;
    const guarded =
      database.dialect === 'postgres'
        ? `SELECT tgrelid::regclass::text AS line FROM pg_trigger WHERE tgname = tgrelid::regclass::text || '_stamped'`
        : `SELECT tbl_name AS line FROM sqlite_master WHERE type = 'trigger' AND name = tbl_name || '_stamped'`;
    const collections = await database.query<{ line: string }>(
      'SELECT DISTINCT collection AS line FROM collection_lanes ORDER BY 1',
    );
    expect(collections).toContainEqual({ line: 'items' });
    expect(await database.query(`${guarded} ORDER BY 1`)).toEqual(collections);
  });
});

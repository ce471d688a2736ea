import { describeOnBothDatabases } from '../testing/store-database.testing.js';
import type { Transaction } from '../database/database.js';

const WRITE = 'INSERT INTO settings (name, value) VALUES ($1, $2)';

describeOnBothDatabases('A database whose disk is full', (under) => {
  /** Limits SQLite to its current pages, and simulates the error of PostgreSQL. */
  async function fill(tx: Transaction): Promise<void> {
    if (under.database.dialect === 'postgres') {
      await tx.query(
        `DO $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`,
      );
      return;
    }
    await tx.query('PRAGMA max_page_count = 1');
    await tx.query(WRITE, ['large', 'x'.repeat(1_000_000)]);
  }

  it('is a 503 with its own message', async () => {
    await expect(under.database.transaction(fill)).rejects.toMatchObject({
      status: 503,
      code: 'database_unavailable',
      message: 'The disk of the database is full: nothing can be written until there is room again.',
    });
    expect(under.database.use()).toMatchObject({ isUp: false, outageCause: 'disk_full' });
  });

  it('is the same 503 if the work caught the error', async () => {
    const work = under.database.transaction(async (tx) => {
      await fill(tx).catch(() => undefined);
    });
    await expect(work).rejects.toMatchObject({ status: 503, message: expect.stringMatching(/disk/) as string });
  });
});
